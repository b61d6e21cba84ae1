import { dollarsOf, operator } from '../../credits/index.js';
import type { Transaction } from '../../store/database.js';
import { change, CommandError, flagOption, look, PAGE, wanted, type Changed } from '../command.js';
import { columns } from '../../command/columns.js';
import { pageLine } from '../print.js';
import { agentCalled } from './agents.js';

/** Commands about credits that come and go. WITHDRAWAL and DEPOSIT are ids; amounts are dollars. */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const UNITS_PER_DOLLAR = 1_000_000;
const money = (dollars: number) => dollars.toFixed(2);
const at = (date: Date) => date.toISOString().slice(0, 19).replace('T', ' ');

export const withdrawals = look({
  name: 'withdrawals',
  purpose: 'withdrawals, the newest first',
  options: {
    open: flagOption('those that are neither paid nor given back'),
    held: flagOption('those of banned agents, and of agents with a lost deposit, which wait for you'),
    ...PAGE,
  },
  look: async (sql, { open, held, limit, offset }) => {
    const found = await operator.selectWithdrawalLines(sql, { open, heldOnly: held, limit, offset });
    const matching = found[0]?.matching ?? 0;
    const rows = found.map((row) => [
      ...[row.withdrawal_id, row.agent_name, money(dollarsOf(row.ucents)), stateOf(row)],
      ...[at(row.created_at), row.to_address, row.nonce === null ? '-' : String(row.nonce), row.error_message ?? ''],
    ]);
    return {
      data: { withdrawals: found.map(({ matching: _, ...row }) => row), matching, limit, offset },
      lines: [
        ...columns([['withdrawal_id', 'agent', 'amount', 'status', 'since', 'to', 'nonce', ''], ...rows]),
        pageLine(offset, found.length, matching),
      ],
    };
  },
});

function stateOf({ status, held, waits_until: until }: operator.WithdrawalLine): string {
  if (held) return 'held';
  return status === 'pending' && until !== null && until.getTime() > Date.now() ? `waits until ${at(until)}` : status;
}

export const retry = change({
  name: 'withdrawals retry',
  purpose: 'signs a queued one, or sends a signed one again, at the next round',
  words: ['WITHDRAWAL'],
  change: (tx, { WITHDRAWAL }) =>
    decidePayment(
      tx,
      WITHDRAWAL,
      operator.retryStoredWithdrawal,
      ['is tried again', 'is none, or decided already'],
      {},
    ),
});

export const release = change({
  name: 'withdrawals release',
  purpose: 'pays one that is held, though its agent is banned or has a lost deposit, or its wallet has changed',
  words: ['WITHDRAWAL'],
  options: { reason: wanted('TEXT', 'the reason, for the audit log') },
  change: (tx, { WITHDRAWAL, reason }) =>
    decidePayment(tx, WITHDRAWAL, operator.releaseStoredWithdrawal, ['is released', 'is not held'], { reason }),
});

export const giveBackCommand = change({
  name: 'withdrawals return',
  purpose: "gives a held one back to its agent's balance",
  words: ['WITHDRAWAL'],
  options: { reason: wanted('TEXT', 'the reason, for the audit log') },
  change: (tx, { WITHDRAWAL, reason }) =>
    decidePayment(tx, WITHDRAWAL, operator.returnStoredWithdrawal, ['is returned', 'is not held'], { reason }),
});

export const deposits = look({
  name: 'deposits',
  purpose: 'deposits, the newest first',
  options: { open: flagOption('those not credited, and those that the chain has dropped since'), ...PAGE },
  look: async (sql, { open, limit, offset }) => {
    const found = await operator.selectDepositLines(sql, { open, limit, offset });
    const matching = found[0]?.matching ?? 0;
    const rows = found.map((row) => [
      ...[row.deposit_id, row.agent_name, money(row.units / UNITS_PER_DOLLAR), statusOf(row)],
      ...[at(row.created_at), row.wallet, row.tx_hash],
    ]);
    return {
      data: { deposits: found.map(({ matching: _, ...row }) => row), matching, limit, offset },
      lines: [
        ...columns([['deposit_id', 'agent', 'amount', 'status', 'since', 'from', 'transaction'], ...rows]),
        pageLine(offset, found.length, matching),
      ],
    };
  },
});

export const followAgain = change({
  name: 'deposits retry',
  purpose: 'follows one again that the chain had dropped and that was given up',
  words: ['DEPOSIT'],
  change: (tx, { DEPOSIT }) =>
    decidePayment(tx, DEPOSIT, operator.retryStoredDeposit, ['is followed', 'is none, or credited already'], {}),
});

export const accept = change({
  name: 'deposits accept',
  purpose: 'lets the agent of a lost one withdraw: its credits stay, the loss is yours',
  words: ['DEPOSIT'],
  options: { reason: wanted('TEXT', 'the reason, for the audit log') },
  change: (tx, { DEPOSIT, reason }) =>
    decidePayment(tx, DEPOSIT, operator.acceptLoss, ['is accepted as lost', 'is not lost, or accepted already'], {
      reason,
    }),
});

export const reverse = change({
  name: 'deposits reverse',
  purpose: "takes the credits of a lost one back from its agent's balance",
  words: ['DEPOSIT'],
  options: { reason: wanted('TEXT', 'the reason, for the audit log') },
  change: async (tx, { DEPOSIT, reason }) => {
    const outcome = UUID.test(DEPOSIT) ? await operator.reverseStoredDeposit(tx, DEPOSIT) : 'none';
    if (outcome === 'insufficient') throw new CommandError(`the balance of its agent does not cover ${DEPOSIT}`);
    const step = async () => outcome === 'reversed';
    return decidePayment(tx, DEPOSIT, step, ['is reversed, and followed again', 'is not lost'], { reason });
  },
});

export const clear = change({
  name: 'clear-wallet',
  purpose: "removes an agent's wallet and its proofs of wallets; its owner gets a mail",
  words: ['AGENT'],
  change: async (tx, { AGENT }, _, actor) => {
    const { agent_id, name } = await agentCalled(tx, AGENT);
    const cleared = await operator.clearWallet(tx, agent_id, actor);
    return {
      entry: cleared === null ? null : { subject: agent_id, detail: { ...cleared } },
      data: { agent_id, name, ...(cleared ?? { wallet: null, proven: [] }) },
      lines: [`${name} (${agent_id}) ${cleared === null ? 'had no wallet' : 'has no wallet any more'}`],
    };
  },
});

const statusOf = ({ lost_at: lost, loss_accepted_at: accepted, status }: operator.DepositLine) =>
  lost === null ? status : accepted === null ? 'lost' : 'lost, accepted';

/** One step of one payment; CommandError where it cannot be taken. */
export async function decidePayment(
  tx: Transaction,
  id: string,
  step: (tx: Transaction, id: string) => Promise<boolean>,
  [done, not]: [string, string],
  detail: Record<string, unknown>,
): Promise<Changed<{ id: string }>> {
  if (!UUID.test(id) || !(await step(tx, id))) throw new CommandError(`${id} ${not}`);
  return { entry: { subject: id, detail }, data: { id }, lines: [`${id} ${done}`] };
}

export const paymentCommands = [
  withdrawals,
  retry,
  release,
  giveBackCommand,
  deposits,
  followAgain,
  accept,
  reverse,
  clear,
];
