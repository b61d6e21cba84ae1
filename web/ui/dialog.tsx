import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSending } from './form.js';

/** An action that asks before it is done. */
export interface Asking {
  title: string;
  /** The effect, with figures. */
  children: ComponentChildren;
  verb: string;
  /** The text that must be typed before an irreversible action. */
  typed?: string | undefined;
  danger?: boolean;
  /** It needs a reason, which `act` is given; else that is empty. */
  reasoned?: boolean;
  act: (reason: string) => Promise<unknown>;
}

type ConfirmProps = Asking & { onClose: (done: boolean) => void };

/** Asks before something is done, and stays until the server has done it. */
export function Confirm({
  title,
  children,
  verb,
  typed,
  danger = false,
  reasoned = false,
  act,
  onClose,
}: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const { busy, problem, send } = useSending();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={() => onClose(false)}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void send(() => act(reason)).then((done) => {
            if (done) onClose(true);
          });
        }}
      >
        <h2 id="confirm-title">{title}</h2>
        <div class="prose">{children}</div>
        {reasoned && (
          <div class="field">
            <label>
              Reason
              <input
                required
                maxLength={500}
                value={reason}
                onInput={({ currentTarget }) => setReason(currentTarget.value)}
              />
            </label>
            <p class="hint">The audit log keeps it.</p>
          </div>
        )}
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
}: Asking & { label: string; quiet?: boolean; done?: () => void }) {
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
