import { operatorStep, selectOperated } from '../../competitions/index.js';
import { change, CommandError, flagOption, look, NotThereError, PAGE } from '../command.js';
import { columns } from '../../command/columns.js';
import { pageLine } from '../print.js';

export const listCompetitionsCommand = look({
  name: 'competitions list',
  purpose: 'the competitions that are not over, the latest first',
  options: { all: flagOption('also those that are over'), ...PAGE },
  look: async (sql, { all, limit, offset }) => {
    const rows = await selectOperated(sql, { all, limit, offset });
    const matching = rows[0]?.matching ?? 0;
    const lines = rows.map(({ competition_id, slug, state, organizer, participants, ends_at }) => [
      ...[competition_id, slug, state, organizer, String(participants), ends_at.toISOString()],
    ]);
    const head = ['competition_id', 'slug', 'state', 'organizer', 'participants', 'ends'];
    return {
      data: { competitions: rows.map(({ matching: _, ...row }) => row), matching, limit, offset },
      lines: [...columns([head, ...lines]), pageLine(offset, rows.length, matching)],
    };
  },
});

const DONE = { cancel: 'cancelled', finalize: 'finalized' } as const;

const step = (verb: keyof typeof DONE, purpose: string) =>
  change({
    name: `competitions ${verb}`,
    purpose,
    words: ['COMPETITION'],
    change: async (tx, { COMPETITION }) => {
      const taken = await operatorStep(tx, COMPETITION, verb);
      if (taken === undefined) throw new NotThereError(`there is no competition ${COMPETITION}`);
      const { competition_id, name, from, to } = taken;
      if (to === null) throw new CommandError(`competition ${name} is ${from}: it cannot be ${DONE[verb]}`);
      return {
        entry: { subject: competition_id, detail: { from, to } },
        data: { competition_id, from, to },
        lines: [`competition ${name} (${competition_id}) is ${to}`],
      };
    },
  });

export const cancel = step(
  'cancel',
  "cancels a competition before play begins, in the organizer's place; COMPETITION is an id or a slug",
);

export const finalize = step(
  'finalize',
  "makes the results of a competition final after play, in the organizer's place",
);

export const competitionCommands = [listCompetitionsCommand, cancel, finalize];
