import type { Static } from 'typebox';
import { timeOf } from '../../history/index.js';
import { utc, utcOrNull } from '../../protocol/common.js';
import { Detail, HttpError } from '../../protocol/rest/errors.js';
import { Rest } from '../../protocol/rest/index.js';
import type { OperatorOverview } from '../../protocol/rest/operator/index.js';
import { defineRoute, type RequestAgent, type Route } from '../../protocol/route.js';
import type { RecentLines } from '../../ops/recent-lines.js';
import { recordAudit } from '../../store/audit-log.js';
import type { Database } from '../../store/database.js';
import type { AuditRun } from '../audit/run.js';
import { CommandError, NotThereError } from '../command.js';
import { banCommand, listAgents, resetKeyCommand, unbanCommand, verifyEmailCommand } from '../commands/agents.js';
import { cancel, finalize, listCompetitionsCommand } from '../commands/competitions.js';
import { log } from '../commands/log.js';
import { createInvite, invites } from '../commands/invites.js';
import * as payments from '../commands/payments.js';
import { drain, listNodes } from '../commands/nodes.js';
import { endSeasonCommand, prizes, refusePrizeCommand, releasePrizeCommand } from '../commands/seasons.js';
import { close, listTablesCommand } from '../commands/tables.js';
import type { History } from './history.js';

type Overview = Static<typeof OperatorOverview>;

export interface OperatorOptions {
  sql: Database;
  /** Epoch ms. */
  now: () => number;
  history: History;
  recent: Pick<RecentLines, 'lines' | 'total'>;
  audit: Pick<AuditRun, 'start' | 'state' | 'isRunning'>;
  shardsWithoutDatabase: () => number;
  season: () => Overview['season'];
  credits: () => Overview['credits'];
}

/** The actor for the audit log: the signed-in agent, or the holder of the key. */
const by = (agent: RequestAgent | null) => ({ actor: agent?.agentId ?? 'operator' });

/** Turns a command's refusal into REST's. `nowhere` is the answer for a missing object. */
async function refusing<T>(nowhere: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NotThereError) throw new HttpError(404, nowhere);
    if (error instanceof CommandError) throw new HttpError(409, error.message);
    throw error;
  }
}

/** The operator's endpoints: what is read in memory, and the commands of `npx agent-poker admin` over REST. */
export function operatorRoutes(options: OperatorOptions): Route[] {
  return [...roomRoutes(options), ...listRoutes(options), ...agentRoutes(options), ...otherRoutes(options)];
}

function roomRoutes({ sql, history, recent, audit, ...options }: OperatorOptions): Route[] {
  const started = performance.now();
  const overview = (): Overview => {
    const now = history.latest;
    return {
      now: utc(options.now()),
      uptime_seconds: Math.round(performance.now() - started) / 1000,
      threads: now.threads,
      rates: {
        hands_per_second: now.hands_per_second,
        actions_per_second: now.actions_per_second,
        messages_per_second: now.messages_per_second,
      },
      commits: { mean_ms: now.commit_ms, hands_waiting: now.hands_waiting },
      play: { tables: now.tables, sockets: now.sockets, watchers: now.watchers, lobby: now.lobby },
      mails_waiting: now.mails_waiting,
      shards_without_database: options.shardsWithoutDatabase(),
      season: options.season(),
      credits: options.credits(),
    };
  };
  return [
    defineRoute(Rest.getOperatorOverview)(() => ({ status: 200, body: overview() })),
    defineRoute(Rest.getOperatorHistory)(() => ({ status: 200, body: history.columns() })),
    defineRoute(Rest.getOperatorErrors)(() => ({
      status: 200,
      body: { lines: recent.lines.map((line) => ({ ...line, at: utc(new Date(line.at)) })), total: recent.total },
    })),
    defineRoute(Rest.getOperatorAudit)(() => ({ status: 200, body: audit.state })),
    defineRoute(Rest.startOperatorAudit)(async ({ agent }) => {
      if (audit.isRunning) throw new HttpError(409, Detail.auditRuns);
      await recordAudit(sql, { ...by(agent), action: 'audit', subject: null, detail: {} });
      // Somebody else may have begun one meanwhile.
      if (audit.isRunning) throw new HttpError(409, Detail.auditRuns);
      return { status: 202, body: { state: 'running', started_at: audit.start() } };
    }),
  ];
}

function listRoutes({ sql }: OperatorOptions): Route[] {
  return [
    defineRoute(Rest.listOperatorAgents)(async ({ query }) => {
      const { agents, ...page } = await listAgents.look(sql, query);
      const rows = agents.map(({ banned_at, created_at, last_hand_at, ...agent }) => ({
        ...agent,
        banned_at: utcOrNull(banned_at),
        last_hand_at: utcOrNull(last_hand_at),
        created_at: utc(created_at),
      }));
      return { status: 200, body: { agents: rows, ...page } };
    }),
    defineRoute(Rest.listOperatorCompetitions)(async ({ query }) => {
      const { competitions, ...page } = await listCompetitionsCommand.look(sql, query);
      const rows = competitions.map(({ ends_at, ...row }) => ({ ...row, ends_at: utc(ends_at) }));
      return { status: 200, body: { competitions: rows, ...page } };
    }),
    defineRoute(Rest.listOperatorWithdrawals)(async ({ query }) => {
      const { withdrawals: found, ...page } = await payments.withdrawals.look(sql, query);
      const rows = found.map(({ created_at, ucents, waits_until, treasury: _, ...row }) => ({
        ...row,
        amount_ucents: ucents,
        waits_until: utcOrNull(waits_until),
        created_at: utc(created_at),
      }));
      return { status: 200, body: { withdrawals: rows, ...page } };
    }),
    defineRoute(Rest.listOperatorPrizes)(async ({ query }) => {
      const { prizes: found, ...page } = await prizes.look(sql, query);
      const rows = found.map(({ held_until, decided_at, ...row }) => ({
        ...row,
        held_until: utc(held_until),
        decided_at: utcOrNull(decided_at),
      }));
      return { status: 200, body: { prizes: rows, ...page } };
    }),
    defineRoute(Rest.listOperatorDeposits)(async ({ query }) => {
      const { deposits: found, ...page } = await payments.deposits.look(sql, query);
      const rows = found.map(({ created_at, lost_at, loss_accepted_at: accepted, ...row }) => ({
        ...row,
        lost_at: utcOrNull(lost_at),
        loss_accepted_at: utcOrNull(accepted),
        created_at: utc(created_at),
      }));
      return { status: 200, body: { deposits: rows, ...page } };
    }),
    defineRoute(Rest.listOperatorNodes)(async () => {
      const { nodes } = await listNodes.look(sql, {});
      const rows = nodes.map(({ started_at, lapsed, drain_asked_at, ...row }) => ({
        ...row,
        started_at: utc(started_at),
        silent: lapsed,
        drains: drain_asked_at !== null,
      }));
      return { status: 200, body: { nodes: rows } };
    }),
    defineRoute(Rest.listOperatorTables)(async ({ query }) => {
      const { tables, ...page } = await listTablesCommand.look(sql, query);
      const rows = tables.map(({ shard_no: shard, hand_number: hands, opened_at, pool_id: _, kind: __, ...row }) => ({
        ...row,
        shard,
        hands,
        opened_at: utc(opened_at),
      }));
      return { status: 200, body: { tables: rows, ...page } };
    }),
    defineRoute(Rest.listOperatorInvites)(async () => {
      const { invites: codes } = await invites.look(sql, {});
      const rows = codes.map(({ expires_at, created_at, ...row }) => ({
        ...row,
        expires_at: utcOrNull(expires_at),
        created_at: utc(created_at),
      }));
      return { status: 200, body: { invites: rows } };
    }),
    defineRoute(Rest.getOperatorLog)(async ({ query }) => {
      const { search, from, to, before, limit } = query;
      const { entries, next_before } = await log.look(sql, {
        search,
        from: timeOf(from, 'from', 'start'),
        to: timeOf(to, 'to', 'end'),
        before,
        limit,
      });
      const rows = entries.map(({ at, detail, ...row }) => ({ ...row, at: utc(at), detail: JSON.stringify(detail) }));
      return { status: 200, body: { entries: rows, next_before } };
    }),
  ];
}

function agentRoutes({ sql }: OperatorOptions): Route[] {
  const done = <T extends { changed: boolean; agent_id: string; name: string }>({ changed, agent_id, name }: T) => ({
    status: 200 as const,
    body: { changed, agent_id, name },
  });
  const nowhere = Detail.agentNotFound;
  return [
    defineRoute(Rest.banAgent)(async ({ agent, params, body }) =>
      done(await refusing(nowhere, banCommand.change(sql, { AGENT: params.agent_id, reason: body.reason }, by(agent)))),
    ),
    defineRoute(Rest.unbanAgent)(async ({ agent, params }) =>
      done(await refusing(nowhere, unbanCommand.change(sql, { AGENT: params.agent_id }, by(agent)))),
    ),
    defineRoute(Rest.verifyAgentEmail)(async ({ agent, params }) =>
      done(await refusing(nowhere, verifyEmailCommand.change(sql, { AGENT: params.agent_id }, by(agent)))),
    ),
    defineRoute(Rest.resetAgentKey)(async ({ agent, params }) => ({
      status: 200,
      body: await refusing(nowhere, resetKeyCommand.change(sql, { AGENT: params.agent_id }, by(agent))),
    })),
    defineRoute(Rest.clearAgentWallet)(async ({ agent, params }) => ({
      status: 200,
      body: await refusing(nowhere, payments.clear.change(sql, { AGENT: params.agent_id }, by(agent))),
    })),
  ];
}

/** Tables, nodes, invites, the season, competitions, payments. */
function otherRoutes({ sql }: OperatorOptions): Route[] {
  const nowhere = Detail.competitionNotFound;
  const payment = (work: Promise<{ changed: boolean; id: string }>) => refusing(Detail.withdrawalNotFound, work);
  return [
    defineRoute(Rest.closeTableAsOperator)(async ({ agent, params }) => ({
      status: 200,
      body: await refusing(Detail.tableNotFound, close.change(sql, { TABLE: params.table_id }, by(agent))),
    })),
    defineRoute(Rest.drainNode)(async ({ agent, params }) => ({
      status: 200,
      body: await refusing(Detail.nodeNotFound, drain.change(sql, { NODE: params.node_id }, by(agent))),
    })),
    defineRoute(Rest.createOperatorInvite)(async ({ agent, body }) => {
      const { uses, days, note } = body;
      const { expires_at, ...made } = await createInvite.change(sql, { uses, days, note }, by(agent));
      return { status: 201, body: { ...made, expires_at: utcOrNull(expires_at) } };
    }),
    defineRoute(Rest.releasePrize)(async ({ agent, params, body: { reason } }) => ({
      status: 200,
      body: await payment(releasePrizeCommand.change(sql, { PRIZE: params.prize_id, reason }, by(agent))),
    })),
    defineRoute(Rest.refusePrize)(async ({ agent, params, body: { reason } }) => ({
      status: 200,
      body: await payment(refusePrizeCommand.change(sql, { PRIZE: params.prize_id, reason }, by(agent))),
    })),
    defineRoute(Rest.retryDeposit)(async ({ agent, params }) => ({
      status: 200,
      body: await payment(payments.followAgain.change(sql, { DEPOSIT: params.deposit_id }, by(agent))),
    })),
    defineRoute(Rest.acceptDeposit)(async ({ agent, params, body: { reason } }) => ({
      status: 200,
      body: await payment(payments.accept.change(sql, { DEPOSIT: params.deposit_id, reason }, by(agent))),
    })),
    defineRoute(Rest.reverseDeposit)(async ({ agent, params, body: { reason } }) => ({
      status: 200,
      body: await payment(payments.reverse.change(sql, { DEPOSIT: params.deposit_id, reason }, by(agent))),
    })),
    defineRoute(Rest.endSeason)(async ({ agent, body: { season_number, in_seconds } }) => {
      const ending = endSeasonCommand.change(sql, { in: in_seconds }, { ...by(agent), answer: String(season_number) });
      const { end_date, ...season } = await refusing(Detail.noActiveSeason, ending);
      return { status: 200, body: { ...season, end_date: utc(end_date) } };
    }),
    defineRoute(Rest.cancelCompetitionAsOperator)(async ({ agent, params }) => ({
      status: 200,
      body: await refusing(nowhere, cancel.change(sql, { COMPETITION: params.competition_id }, by(agent))),
    })),
    defineRoute(Rest.finalizeCompetitionAsOperator)(async ({ agent, params }) => ({
      status: 200,
      body: await refusing(nowhere, finalize.change(sql, { COMPETITION: params.competition_id }, by(agent))),
    })),
    defineRoute(Rest.retryWithdrawal)(async ({ agent, params }) => ({
      status: 200,
      body: await payment(payments.retry.change(sql, { WITHDRAWAL: params.withdrawal_id }, by(agent))),
    })),
    defineRoute(Rest.releaseWithdrawal)(async ({ agent, params, body: { reason } }) => ({
      status: 200,
      body: await payment(payments.release.change(sql, { WITHDRAWAL: params.withdrawal_id, reason }, by(agent))),
    })),
    defineRoute(Rest.returnWithdrawal)(async ({ agent, params, body: { reason } }) => ({
      status: 200,
      body: await payment(
        payments.giveBackCommand.change(sql, { WITHDRAWAL: params.withdrawal_id, reason }, by(agent)),
      ),
    })),
  ];
}
