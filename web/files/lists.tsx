import { useEffect, useState } from 'preact/hooks';
import { List, type Column } from '../ui/list.js';
import { Section } from '../ui/page.js';
import { Pager } from '../ui/pager.js';
import type { HandRow } from './messages.js';
import { forgetStep } from './shown-hand.js';
import { PAGE_ROWS, type HandFile, type HandFileReader } from './use-hand-file.js';

interface ListProps {
  file: HandFile;
  count: number;
  ask: HandFileReader['ask'];
}

/** Asks for a page of a list, and again while the file still adds rows to it. */
function usePage(kind: 'rows' | 'unreadable', from: number, count: number, ask: HandFileReader['ask']): void {
  const filled = Math.min(count, from + PAGE_ROWS);
  useEffect(() => ask({ kind, from, size: PAGE_ROWS }), [from, filled]);
}

const UNREADABLE = 'unreadable-hands';

/** Shows the list to the reader. A link would take the part of the address that names a step of the hand. */
export const toUnreadable = () => document.getElementById(UNREADABLE)?.scrollIntoView();

/** Each hand that cannot be replayed, with its reason. */
export function UnreadableHands({ file, count, ask }: ListProps) {
  const [from, setFrom] = useState(0);
  usePage('unreadable', from, count, ask);
  const { rows } = file.unreadable;
  return (
    <Section title="Unreadable hands" id={UNREADABLE}>
      <ul class="unreadable">
        {rows.map(({ number, line, reason }) => (
          <li key={number}>
            Hand #{number}, line {line}: {reason}
          </li>
        ))}
      </ul>
      <Pager from={from} size={PAGE_ROWS} shown={rows.length} total={count} onFrom={setFrom} />
    </Section>
  );
}

/** The hands that can be replayed, a page at a time: the page with the hand that is shown, or another. */
export function HandsOfFile({ file, shown, count, ask }: ListProps & { shown: number }) {
  const [from, setFrom] = useState(0);
  useEffect(() => setFrom(shown - (shown % PAGE_ROWS)), [shown]);
  usePage('rows', from, count, ask);
  const { hands } = file;
  const go = (row: HandRow) => {
    forgetStep();
    ask({ kind: 'find', number: row.number });
  };
  const columns: readonly Column<HandRow>[] = [
    { key: 'number', head: 'No.', cell: ({ number }) => number, right: true },
    {
      key: 'title',
      head: 'Hand',
      cell: (row) => (
        <button type="button" class="quiet" onClick={() => go(row)}>
          {row.title}
        </button>
      ),
    },
    { key: 'players', head: 'Players', cell: ({ players }) => <Players names={players} />, low: true },
  ];
  return (
    <Section title="Hands of the file" aside={<Find ask={ask} />}>
      <List
        label="Hands of the file"
        columns={columns}
        rows={hands.rows}
        keyOf={({ number }) => number}
        isMarked={(row) => row === hands.rows[shown - hands.from]}
      />
      <Pager from={from} size={PAGE_ROWS} shown={hands.rows.length} total={count} onFrom={setFrom} />
    </Section>
  );
}

const Players = ({ names }: { names: string }) => (
  <span class="file-players" title={names}>
    {names}
  </span>
);

/** To a hand by its number in the file. */
function Find({ ask }: { ask: HandFileReader['ask'] }) {
  const [number, setNumber] = useState('');
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (!(Number(number) >= 1)) return;
        forgetStep();
        ask({ kind: 'find', number: Number(number) });
      }}
    >
      <label class="find-hand">
        <span>Go to hand no.</span>
        <input
          type="number"
          min="1"
          inputMode="numeric"
          value={number}
          onInput={(event) => setNumber(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="quiet">
        Go
      </button>
    </form>
  );
}
