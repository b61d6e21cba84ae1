import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ConfirmButton } from '../../ui/dialog.js';

/** A button that asks, with the reason why it is done. */
export function WithReason({
  label,
  title,
  children,
  danger = false,
  act,
  done,
}: {
  label: string;
  title: string;
  /** The effect of the action. */
  children: ComponentChildren;
  danger?: boolean;
  act: (reason: string) => Promise<unknown>;
  done: () => void;
}) {
  const [reason, setReason] = useState('');
  return (
    <ConfirmButton label={label} title={title} verb={label} danger={danger} act={() => act(reason)} done={done}>
      {children}
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
    </ConfirmButton>
  );
}
