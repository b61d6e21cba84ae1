import { useEffect, useRef } from 'preact/hooks';

/** The keys of a page. */
export function KeysDialog(props: { keys: readonly (readonly [key: string, effect: string])[]; close: () => void }) {
  const { keys, close } = props;
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog ref={box} onClose={close} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">
        {keys.map(([key, effect]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="main">
          Close
        </button>
      </form>
    </dialog>
  );
}
