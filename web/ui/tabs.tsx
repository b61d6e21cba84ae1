import { useCurrentInView } from './in-view.js';

/** The parts of a page. One of them is shown. `tabs`: key and name of each, and what else its page keeps there. */
export function Tabs<Key extends string>(props: {
  label: string;
  tabs: readonly (readonly [key: Key, name: string, ...rest: unknown[]])[];
  shown: string;
  show: (key: Key) => void;
}) {
  const { label, tabs, shown, show } = props;
  // A longer name moves the others.
  const row = useCurrentInView<HTMLDivElement>([shown, ...tabs.map(([, name]) => name)].join());
  return (
    <div class="tabs" role="group" aria-label={label} ref={row}>
      {tabs.map(([key, name]) => (
        <button key={key} type="button" class="tab" aria-pressed={shown === key} onClick={() => show(key)}>
          {name}
        </button>
      ))}
    </div>
  );
}
