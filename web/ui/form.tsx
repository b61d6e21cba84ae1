import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { ApiError } from '../lib/api.js';
import { asApiError } from '../lib/use-api.js';
import { wordsOf } from './states.js';

/** Label above, one line of hint, the server's own error under its field, the button a verb. */

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  /** The field's error, in the server's words. */
  error?: string | undefined;
}

type Attributes = Pick<
  InputHTMLAttributes,
  | 'autocomplete'
  | 'disabled'
  | 'inputMode'
  | 'max'
  | 'maxLength'
  | 'min'
  | 'minLength'
  | 'pattern'
  | 'placeholder'
  | 'required'
  | 'spellcheck'
  | 'step'
>;

type InputProps = FieldProps &
  Attributes & {
    type?: 'text' | 'password' | 'email' | 'number' | 'datetime-local' | 'date' | 'search' | 'url';
    value: string;
    onValue: (value: string) => void;
  };

export function Field({ label, hint, error, value, onValue, ...input }: InputProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${id}-more`}
        {...(input as InputHTMLAttributes)}
      />
      <Below id={`${id}-more`} hint={hint} error={error} />
    </div>
  );
}

export function TextArea({
  label,
  hint,
  error,
  value,
  onValue,
  rows = 4,
  maxLength,
}: FieldProps & { value: string; onValue: (value: string) => void; rows?: number; maxLength?: number }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        maxLength={maxLength}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${id}-more`}
      />
      <Below id={`${id}-more`} hint={hint} error={error} />
    </div>
  );
}

export function Select<T extends string>({
  label,
  hint,
  error,
  value,
  onValue,
  options,
}: FieldProps & { value: T; onValue: (value: T) => void; options: readonly (readonly [T, string])[] }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={({ currentTarget }) => onValue(currentTarget.value as T)}
        aria-describedby={`${id}-more`}
      >
        {options.map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
      <Below id={`${id}-more`} hint={hint} error={error} />
    </div>
  );
}

export function Check({
  label,
  hint,
  checked,
  onValue,
  required,
  disabled,
}: {
  label: ComponentChildren;
  hint?: ComponentChildren;
  checked: boolean;
  onValue: (checked: boolean) => void;
  required?: boolean;
  disabled?: boolean;
}) {
  const id = useId();
  return (
    <div class="field check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        required={required}
        disabled={disabled}
        onChange={({ currentTarget }) => onValue(currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {hint && <p class="hint">{hint}</p>}
      </div>
    </div>
  );
}

function Below({ id, hint, error }: { id: string; hint: ComponentChildren; error: string | undefined }) {
  return (
    <div id={id}>
      {error !== undefined && <p class="field-error">{error}</p>}
      {hint !== undefined && <p class="hint">{hint}</p>}
    </div>
  );
}

export interface Sending {
  busy: boolean;
  /** The problem of no single field. */
  problem: string;
  fields: Readonly<Record<string, string>>;
  /** Runs one request; resolves to whether the server did it. */
  send: (request: () => Promise<unknown>) => Promise<boolean>;
}

/** The state of a form: sending, or what the server said against it. */
export function useSending(known: readonly string[] = []): Sending {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const send = async (request: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await request();
      return true;
    } catch (failure) {
      setError(asApiError(failure));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const fields = error?.fields ?? {};
  const elsewhere = Object.keys(fields).length === 0 || Object.keys(fields).some((name) => !known.includes(name));
  return { busy, fields, problem: error !== null && elsewhere ? wordsOf(error) : '', send };
}

export function Form({
  sending,
  verb,
  onSend,
  children,
  danger = false,
}: {
  sending: Sending;
  verb: string;
  onSend: () => void;
  children: ComponentChildren;
  danger?: boolean;
}) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {children}
      {sending.problem !== '' && (
        <p class="form-error" role="alert">
          {sending.problem}
        </p>
      )}
      <button type="submit" class={danger ? 'danger' : 'main'} disabled={sending.busy}>
        {sending.busy ? 'Sending' : verb}
      </button>
    </form>
  );
}
