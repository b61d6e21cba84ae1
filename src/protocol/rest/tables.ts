import Type from 'typebox';
import { Chips, Count, Exact, MAX_TABLE_SEATS, TableId } from '../common.js';
import { PublicTableStateSchema } from '../messages/state.js';
import { route } from '../route.js';
import { Detail } from './errors.js';

/** The tables as anybody may see them, and what a sign-in page needs to know. */

export const TableSummaryBody = Exact(
  {
    table_id: TableId,
    seats: Type.Integer({ minimum: 2, maximum: MAX_TABLE_SEATS }),
    players: Type.Integer({ minimum: 0, maximum: MAX_TABLE_SEATS }),
    small_blind: Chips,
    big_blind: Chips,
    /** Hands finished at this table so far. */
    hand_number: Count,
  },
  { title: 'TableSummary' },
);

export const PublicConfig = Exact(
  {
    /** Where people sign in; empty where there is no sign-in service. */
    identity_auth_url: Type.String(),
    /** For one turn at a table of the season. A competition may have another, which its record tells. */
    action_timeout_ms: Type.Integer({ minimum: 1 }),
  },
  { title: 'PublicConfig' },
);

const tag = 'Tables and configuration';

export const listTables = route({
  id: 'listTables',
  inMemory: true,
  method: 'GET',
  path: '/api/tables',
  tag,
  summary: 'All open tables of the season',
  auth: 'none',
  answers: { 200: Type.Array(TableSummaryBody) },
});

export const getTable = route({
  id: 'getTable',
  inMemory: true,
  at: 'table',
  method: 'GET',
  path: '/api/tables/{table_id}',
  tag,
  summary: 'The table as a spectator sees it, in the state that was sent last',
  auth: 'none',
  params: Type.Object({ table_id: Type.String() }),
  answers: { 200: PublicTableStateSchema },
  errors: { 404: [Detail.tableNotFound], 503: [Detail.noAnswer] },
});

export const getPublicConfig = route({
  id: 'getPublicConfig',
  inMemory: true,
  method: 'GET',
  path: '/api/public-config',
  tag,
  summary: 'Settings that a client may need before sign-in',
  auth: 'none',
  answers: { 200: PublicConfig },
});
