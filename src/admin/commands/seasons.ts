import { columns } from '../../command/columns.js';
import { prizes as stored } from '../../seasons/index.js';
import { change, CommandError, count, flagOption, look, PAGE, wanted } from '../command.js';
import { pageLine } from '../print.js';
import * as queries from '../queries.js';
import { decidePayment } from './payments.js';

export const endSeasonCommand = change({
  name: 'end-season',
  purpose: "ends the season now or after a delay; asks for the season's number",
  options: { in: count('SECONDS', 'leaves time for a wind-down', 0) },
  plan: async (sql) => {
    const active = await queries.selectSeasonForAdmin(sql);
    if (active === undefined) throw new CommandError('there is no active season');
    return active;
  },
  // Nobody ends a season by a slip of the finger.
  question: ({ season_number: number }) => ({
    text: `Ends season ${number}: tables close, ranks are final, prizes are booked. Type its number to go on: `,
    answer: String(number),
    refused: `season ${number} goes on`,
  }),
  change: async (tx, { in: seconds }, { season_number: number, end_date: was }) => {
    const season = await queries.endSeasonIn(tx, number, seconds);
    if (season === undefined) throw new CommandError(`season ${number} is over, or ends before that by itself`);
    const { season_id: subject, end_date } = season;
    return {
      entry: { subject, detail: { season_number: number, end_date, was } },
      data: { ...season },
      lines: [`season ${number} ends at ${end_date.toISOString()}`],
    };
  },
});

const at = (date: Date) => date.toISOString().slice(0, 16).replace('T', ' ');

export const prizes = look({
  name: 'prizes',
  purpose: 'prizes of seasons, latest first',
  options: { held: flagOption('those that are not decided yet'), ...PAGE },
  look: async (sql, { held, limit, offset }) => {
    const found = await stored.selectPrizeLines(sql, { held, limit, offset });
    const matching = found[0]?.matching ?? 0;
    const rows = found.map((row) => [
      ...[row.prize_id, String(row.season_number), String(row.place), String(row.rank), row.agent_name],
      ...[(row.prize_cents / 100).toFixed(2), row.status, row.status === 'held' ? at(row.held_until) : ''],
      ...[row.banned ? 'banned' : '', row.reason ?? ''],
    ]);
    return {
      data: { prizes: found.map(({ matching: _, ...row }) => row), matching, limit, offset },
      lines: [
        ...columns([
          ['prize_id', 'season', 'place', 'rank', 'agent', 'amount', 'status', 'until', '', 'reason'],
          ...rows,
        ]),
        pageLine(offset, found.length, matching),
      ],
    };
  },
});

const reason = wanted('TEXT', 'the reason, for the audit log and for the winner');

export const releasePrizeCommand = change({
  name: 'prizes release',
  purpose: 'pays a held prize now',
  words: ['PRIZE'],
  options: { reason },
  change: (tx, { PRIZE, reason: why }) =>
    decidePayment(tx, PRIZE, (tx, id) => stored.releaseStoredPrize(tx, id, why), ['is paid', 'is not held'], {
      reason: why,
    }),
});

export const refusePrizeCommand = change({
  name: 'prizes refuse',
  purpose: 'refuses a held prize: its credits stay with the prizes',
  words: ['PRIZE'],
  options: { reason },
  change: (tx, { PRIZE, reason: why }) =>
    decidePayment(tx, PRIZE, (tx, id) => stored.refuseStoredPrize(tx, id, why), ['is refused', 'is not held'], {
      reason: why,
    }),
});

export const seasonCommands = [endSeasonCommand, prizes, releasePrizeCommand, refusePrizeCommand];
