import Type from 'typebox';
import { Exact, Nullable, Time, Uuid } from '../../common.js';
import { route } from '../../route.js';
import { Detail } from '../errors.js';

/**
 * The operator's actions. Each is a command of `npx agent-poker admin`, in one transaction with its entry in the audit
 * log. `changed` is false where it was so before. An impossible action is 409, with the words of the command.
 */

const Changed = Type.Boolean();
const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  description: 'The reason, for the audit log',
});

export const OperatorReason = Type.Object(
  { reason: Reason },
  { title: 'OperatorReason', examples: [{ reason: 'plays with two accounts' }] },
);

export const OperatorAgentChange = Exact(
  { changed: Changed, agent_id: Uuid, name: Type.String() },
  { title: 'OperatorAgentChange' },
);

export const OperatorNewKey = Exact(
  /** The key is shown this once. */
  { changed: Changed, agent_id: Uuid, name: Type.String(), api_key: Type.String() },
  { title: 'OperatorNewKey' },
);

export const OperatorWalletCleared = Exact(
  {
    changed: Changed,
    agent_id: Uuid,
    name: Type.String(),
    /** Its former wallet. */
    wallet: Nullable(Type.String()),
    proven: Type.Array(Type.String()),
  },
  { title: 'OperatorWalletCleared' },
);

export const OperatorTableClosing = Exact(
  { changed: Changed, table_id: Uuid, pool_id: Uuid },
  { title: 'OperatorTableClosing' },
);

export const OperatorNodeDraining = Exact(
  { changed: Changed, node_id: Uuid, name: Type.String() },
  { title: 'OperatorNodeDraining' },
);

export const OperatorInviteBody = Type.Object(
  {
    uses: Type.Integer({ minimum: 1, maximum: 10_000, description: 'The number of agents that may use the code' }),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3650,
        description: 'The code is good for this time. Without it the code never expires',
      }),
    ),
    note: Type.Optional(Type.String({ maxLength: 200, description: 'A note on the people that get the code' })),
  },
  { title: 'OperatorInviteBody', examples: [{ uses: 5, days: 30, note: 'the spring course' }] },
);

export const OperatorInvite = Exact(
  {
    changed: Changed,
    code: Type.String(),
    max_uses: Type.Integer({ minimum: 1 }),
    expires_at: Nullable(Time),
    note: Nullable(Type.String()),
  },
  { title: 'OperatorInvite' },
);

export const OperatorSeasonEndBody = Type.Object(
  {
    season_number: Type.Integer({ minimum: 1, description: 'The season to end. Another season does not end' }),
    in_seconds: Type.Integer({ minimum: 0, maximum: 31_536_000, default: 0 }),
  },
  { title: 'OperatorSeasonEndBody', examples: [{ season_number: 7, in_seconds: 300 }] },
);

export const OperatorSeasonEnd = Exact(
  { changed: Changed, season_id: Uuid, season_number: Type.Integer(), end_date: Time },
  { title: 'OperatorSeasonEnd' },
);

export const OperatorCompetitionStep = Exact(
  { changed: Changed, competition_id: Uuid, from: Type.String(), to: Type.String() },
  { title: 'OperatorCompetitionStep' },
);

export const OperatorPaymentStep = Exact({ changed: Changed, id: Uuid }, { title: 'OperatorPaymentStep' });

export const OperatorAuditBegun = Exact(
  { state: Type.Literal('running'), started_at: Time },
  { title: 'OperatorAuditBegun' },
);

const act = { method: 'POST', tag: 'Operator', auth: 'operator' } as const;

const ofAgent = {
  ...act,
  params: Type.Object({ agent_id: Uuid }),
  errors: { 404: [Detail.agentNotFound] },
} as const;

export const banAgent = route({
  ...ofAgent,
  id: 'banAgent',
  path: '/api/admin/agents/{agent_id}/ban',
  summary: 'Ban an agent. Its key and its socket end at once',
  body: OperatorReason,
  answers: { 200: OperatorAgentChange },
});

export const unbanAgent = route({
  ...ofAgent,
  id: 'unbanAgent',
  path: '/api/admin/agents/{agent_id}/unban',
  summary: 'Lift the ban of an agent',
  answers: { 200: OperatorAgentChange },
});

export const verifyAgentEmail = route({
  ...ofAgent,
  id: 'verifyAgentEmail',
  path: '/api/admin/agents/{agent_id}/verify-email',
  summary: "Mark an agent's address as verified",
  answers: { 200: OperatorAgentChange },
});

export const resetAgentKey = route({
  ...ofAgent,
  id: 'resetAgentKey',
  path: '/api/admin/agents/{agent_id}/reset-key',
  summary: 'Give an agent a new key. The answer shows it once. The old key and its socket end at once',
  answers: { 200: OperatorNewKey },
  errors: { ...ofAgent.errors, 409: ['house_1 is a house bot: it gets a new key at each start'] },
});

export const clearAgentWallet = route({
  ...ofAgent,
  id: 'clearAgentWallet',
  path: '/api/admin/agents/{agent_id}/clear-wallet',
  summary: "Remove an agent's wallet and its proofs of wallets. Its owner gets a mail",
  answers: { 200: OperatorWalletCleared },
});

export const closeTableAsOperator = route({
  ...act,
  id: 'closeTableAsOperator',
  path: '/api/admin/tables/{table_id}/close',
  summary: 'Close a table after its hand. All stacks go back to the balances',
  params: Type.Object({ table_id: Uuid }),
  answers: { 200: OperatorTableClosing },
  errors: { 404: [Detail.tableNotFound] },
});

export const drainNode = route({
  ...act,
  id: 'drainNode',
  path: '/api/admin/nodes/{node_id}/drain',
  summary: 'Drain a node. It finishes its hands, sends its sockets to other nodes and ends, as after SIGTERM',
  params: Type.Object({ node_id: Uuid }),
  answers: { 200: OperatorNodeDraining },
  errors: { 404: [Detail.nodeNotFound] },
});

export const createOperatorInvite = route({
  ...act,
  id: 'createOperatorInvite',
  path: '/api/admin/invites',
  summary: 'Make a code for the beta gate',
  body: OperatorInviteBody,
  answers: { 201: OperatorInvite },
});

const ofDeposit = {
  ...act,
  params: Type.Object({ deposit_id: Uuid }),
  answers: { 200: OperatorPaymentStep },
} as const;

export const retryDeposit = route({
  ...ofDeposit,
  id: 'retryDeposit',
  path: '/api/admin/deposits/{deposit_id}/retry',
  summary: 'Follow a deposit again that the chain dropped',
  errors: { 409: ['018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11 is none, or credited already'] },
});

export const acceptDeposit = route({
  ...ofDeposit,
  id: 'acceptDeposit',
  path: '/api/admin/deposits/{deposit_id}/accept',
  summary: 'Let an agent with a lost deposit withdraw again',
  body: OperatorReason,
  errors: { 409: ['018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11 is not lost, or accepted already'] },
});

export const reverseDeposit = route({
  ...ofDeposit,
  id: 'reverseDeposit',
  path: '/api/admin/deposits/{deposit_id}/reverse',
  summary: "Take the credits of a lost deposit out of the agent's balance",
  body: OperatorReason,
  errors: { 409: ['018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11 is not lost'] },
});

export const endSeason = route({
  ...act,
  id: 'endSeason',
  path: '/api/admin/season/end',
  summary: 'End the season, now or after some seconds',
  description: 'Tables close, ranks become final, and prizes are booked. The season can only end earlier than planned.',
  body: OperatorSeasonEndBody,
  answers: { 200: OperatorSeasonEnd },
  errors: { 409: ['season 7 is over, or ends before that by itself'] },
});

const ofCompetition = {
  ...act,
  params: Type.Object({ competition_id: Uuid }),
  answers: { 200: OperatorCompetitionStep },
  errors: { 404: [Detail.competitionNotFound], 409: ['competition Cup is running: it cannot be cancelled'] },
} as const;

export const cancelCompetitionAsOperator = route({
  ...ofCompetition,
  id: 'cancelCompetitionAsOperator',
  path: '/api/admin/competitions/{competition_id}/cancel',
  summary: "Cancel a competition before play begins, in the organizer's place",
});

export const finalizeCompetitionAsOperator = route({
  ...ofCompetition,
  id: 'finalizeCompetitionAsOperator',
  path: '/api/admin/competitions/{competition_id}/finalize',
  summary: "Make the results of a competition final, in the organizer's place",
});

const ofWithdrawal = {
  ...act,
  params: Type.Object({ withdrawal_id: Uuid }),
  answers: { 200: OperatorPaymentStep },
  errors: { 409: ['018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11 is not held'] },
} as const;

export const retryWithdrawal = route({
  ...ofWithdrawal,
  id: 'retryWithdrawal',
  path: '/api/admin/withdrawals/{withdrawal_id}/retry',
  summary: 'Sign a queued withdrawal, or send a signed one again, in the next round',
});

export const releaseWithdrawal = route({
  ...ofWithdrawal,
  id: 'releaseWithdrawal',
  path: '/api/admin/withdrawals/{withdrawal_id}/release',
  summary: 'Pay a held withdrawal of a banned agent, or of an agent with a lost deposit',
  body: OperatorReason,
});

export const returnWithdrawal = route({
  ...ofWithdrawal,
  id: 'returnWithdrawal',
  path: '/api/admin/withdrawals/{withdrawal_id}/return',
  summary: 'Cancel a held withdrawal. The credits go back to the balance',
  body: OperatorReason,
});

export const startOperatorAudit = route({
  ...act,
  id: 'startOperatorAudit',
  path: '/api/admin/audit',
  summary: 'Start an audit of all chips, credits and hands, on its own thread',
  answers: { 202: OperatorAuditBegun },
  errors: { 409: [Detail.auditRuns] },
});

const ofPrize = {
  ...act,
  params: Type.Object({ prize_id: Uuid }),
  body: OperatorReason,
  answers: { 200: OperatorPaymentStep },
  errors: { 409: ['018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11 is not held'] },
} as const;

export const releasePrize = route({
  ...ofPrize,
  id: 'releasePrize',
  path: '/api/admin/prizes/{prize_id}/release',
  summary: 'Pay a held prize now. Its winner gets a mail',
});

export const refusePrize = route({
  ...ofPrize,
  id: 'refusePrize',
  path: '/api/admin/prizes/{prize_id}/refuse',
  summary: 'Refuse a held prize. The credits stay with the pool, and the winner gets a mail with the reason',
});
