import type { Request } from '../../lib/api.js';

/** The filters of the list of hands. They stand in the address. */

type Asked = NonNullable<Request<'GET /api/me/hand-history'>['query']>;
type Query = Record<string, string>;

const SELECTS = [
  {
    key: 'result',
    label: 'Result',
    choices: [
      ['', 'any'],
      ['won', 'won'],
      ['lost', 'lost'],
      ['even', 'even'],
    ],
  },
  {
    key: 'position',
    label: 'Position',
    choices: [
      ['', 'any'],
      ['UTG', 'under the gun'],
      ['MP', 'middle'],
      ['CO', 'cutoff'],
      ['BTN', 'button'],
      ['SB', 'small blind'],
      ['BB', 'big blind'],
    ],
  },
  {
    key: 'street',
    label: 'Last street',
    choices: [
      ['', 'any'],
      ['preflop', 'preflop'],
      ['flop', 'flop'],
      ['turn', 'turn'],
      ['river', 'river'],
    ],
  },
  {
    key: 'allin',
    label: 'All-in',
    choices: [
      ['', 'any'],
      ['true', 'yes'],
      ['false', 'no'],
    ],
  },
  {
    key: 'order',
    label: 'Order',
    choices: [
      ['', 'newest'],
      ['biggest_pot', 'biggest pot'],
      ['biggest_win', 'biggest win'],
      ['biggest_loss', 'biggest loss'],
    ],
  },
] as const;

const KEYS = [...SELECTS.map(({ key }) => key), 'pot', 'opponent', 'from', 'to'];

/** A word of the address that the select offers; others are left out. */
const chosen = (query: Query, key: (typeof SELECTS)[number]['key']): string | undefined => {
  const { choices } = SELECTS.find((select) => select.key === key)!;
  const value = query[key] ?? '';
  return value !== '' && choices.some(([choice]) => choice === value) ? value : undefined;
};

/** The filters of an address as the server reads them. */
export function searchIn(query: Query): Partial<Asked> {
  const pot = Number(query['pot']);
  const allIn = chosen(query, 'allin');
  return {
    result: chosen(query, 'result'),
    position: chosen(query, 'position'),
    street: chosen(query, 'street'),
    all_in: allIn === undefined ? undefined : allIn === 'true',
    sort: chosen(query, 'order'),
    min_pot: Number.isSafeInteger(pot) && pot > 0 ? pot : undefined,
    opponent: query['opponent'] === '' ? undefined : query['opponent'],
  } as Partial<Asked>;
}

export const isSearched = (query: Query): boolean => Object.values(searchIn(query)).some((each) => each !== undefined);

export function HandFilters({
  query,
  change,
}: {
  query: Query;
  change: (values: Record<string, string | undefined>) => void;
}) {
  // Another filter begins at the newest hand.
  const set = (key: string, value: string) => change({ [key]: value, row: '', after: '', seen: '' });
  return (
    <div class="row filters" role="group" aria-label="Which hands">
      {SELECTS.map(({ key, label, choices }) => (
        <label key={key} class="row">
          <span class="soft">{label}</span>
          <select value={chosen(query, key) ?? ''} onChange={({ currentTarget }) => set(key, currentTarget.value)}>
            {choices.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ))}
      <label class="row">
        <span class="soft">Pot from</span>
        <input
          type="number"
          class="short"
          min={1}
          step={1}
          value={query['pot'] ?? ''}
          onChange={({ currentTarget }) => set('pot', currentTarget.value)}
        />
      </label>
      <label class="row">
        <span class="soft">Against</span>
        <input
          type="search"
          maxLength={64}
          placeholder="name of a bot"
          spellcheck={false}
          value={query['opponent'] ?? ''}
          onChange={({ currentTarget }) => set('opponent', currentTarget.value.trim())}
        />
      </label>
      <label class="row">
        <span class="soft">From</span>
        <input
          type="date"
          value={query['from'] ?? ''}
          onChange={({ currentTarget }) => set('from', currentTarget.value)}
        />
      </label>
      <label class="row">
        <span class="soft">to</span>
        <input type="date" value={query['to'] ?? ''} onChange={({ currentTarget }) => set('to', currentTarget.value)} />
      </label>
      {KEYS.some((key) => (query[key] ?? '') !== '') && (
        <button
          type="button"
          class="quiet"
          onClick={() => change({ ...Object.fromEntries(KEYS.map((key) => [key, ''])), row: '', after: '', seen: '' })}
        >
          All hands
        </button>
      )}
    </div>
  );
}
