import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSending } from './form.js';

interface ConfirmProps {
  title: string;
  /** The effect, with figures. */
  children: ComponentChildren;
  verb: string;
  /** The text that must be typed before an irreversible action. */
  typed?: string | undefined;
  danger?: boolean;
  act: () => Promise<unknown>;
  onClose: (done: boolean) => void;
}

/** Asks before something is done, and stays until the server has done it. */
export function Confirm({ title, children, verb, typed, danger = false, act, onClose }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const { busy, problem, send } = useSending();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={() => onClose(false)}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void send(act).then((done) => {
            if (done) onClose(true);
          });
        }}
      >
        <h2 id="confirm-title">{title}</h2>
        <div class="prose">{children}</div>
        {typed !== undefined && (
          <div class="field">
            <label for="confirm-typed">Type “{typed}” to go on</label>
            <input
              id="confirm-typed"
              autocomplete="off"
              spellcheck={false}
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </div>
        )}
        {problem !== '' && (
          <p class="form-error" role="alert">
            {problem}
          </p>
        )}
        <div class="row end">
          <button type="button" class="quiet" onClick={() => onClose(false)}>
            Back
          </button>
          <button
            type="submit"
            class={danger ? 'danger' : 'main'}
            disabled={busy || (typed !== undefined && text !== typed)}
          >
            {verb}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** A button that asks first. */
export function ConfirmButton({
  label,
  quiet = true,
  done,
  ...confirm
}: Omit<ConfirmProps, 'onClose'> & { label: string; quiet?: boolean; done?: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class={quiet ? `quiet${confirm.danger ? ' bad' : ''}` : confirm.danger ? 'danger' : 'main'}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {open && (
        <Confirm
          {...confirm}
          onClose={(ended) => {
            setOpen(false);
            if (ended) done?.();
          }}
        />
      )}
    </>
  );
}
