import type { Answer } from '../../lib/api.js';
import { shortId } from '../../lib/format.js';
import { useApi } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { List, type Column } from '../../ui/list.js';
import { Pager } from '../../ui/pager.js';
import { Shown } from '../../ui/states.js';
import { When } from '../../ui/values.js';

type Entry = Answer<'GET /api/competitions/{competition_id}/audit'>['entries'][number];

const PAGE = 50;

const COLUMNS: readonly Column<Entry>[] = [
  { key: 'at', head: 'When', cell: ({ at }) => <When at={at} /> },
  {
    key: 'actor',
    head: 'Who',
    cell: ({ actor }) => (actor === 'system' ? 'by itself' : <code>{shortId(actor)}</code>),
  },
  { key: 'action', head: 'What', cell: ({ action }) => action.replace(/([A-Z])/g, ' $1').toLowerCase() },
  { key: 'detail', head: 'Detail', cell: ({ detail }) => <span class="soft">{inShort(detail)}</span>, low: true },
];

const LONGEST = 90;

function inShort(detail: Record<string, unknown>): string {
  const text = Object.entries(detail)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** The log of changes to the competition and its people. */
export function Audit({ id }: { id: string }) {
  const [query, change] = useQuery();
  const from = Number(query['from'] ?? 0) || 0;
  const log = useApi('GET /api/competitions/{competition_id}/audit', {
    params: { competition_id: id },
    query: { limit: PAGE, offset: from },
  });
  return (
    <Shown of={log} rows={10}>
      {({ entries, total }) => (
        <>
          <List label="Log" columns={COLUMNS} rows={entries} keyOf={({ entry_id: key }) => key} />
          <Pager
            from={from}
            size={PAGE}
            shown={entries.length}
            total={total}
            onFrom={(next) => change({ from: String(next) })}
          />
        </>
      )}
    </Shown>
  );
}
