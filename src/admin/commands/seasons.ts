import { change, CommandError, count } from '../command.js';
import * as queries from '../queries.js';

export const endSeason = change({
  name: 'end-season',
  purpose: "ends the season now, or in so many seconds; asks for the season's number",
  options: { in: count('SECONDS', 'leaves time for a wind-down', 0) },
  plan: async (sql) => {
    const active = await queries.selectActiveSeason(sql);
    if (active === undefined) throw new CommandError('there is no active season');
    return active;
  },
  // Nobody ends a season by a slip of the finger.
  question: ({ season_number: number }) => ({
    text: `Ends season ${number}: tables close, ranks are final, prizes are paid. Type its number to go on: `,
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

export const seasonCommands = [endSeason];
