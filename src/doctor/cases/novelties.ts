import { casesOf, type Case } from '../case.js';
import { fromBot, toBot, type Exam } from '../exam.js';
import type { Frame } from '../wire/transcript.js';
import { isOf } from '../wire/words.js';
import { goesOn, handOver } from './steps.js';

type Changed = Record<string, unknown>;

/** Frames of a type reach the bot with something new in them, and it plays on. */
const withNews = (types: readonly string[], change: (frame: Changed) => void): Pick<Case, 'run'> => ({
  run: async (exam) => {
    exam.wire.toBot = (text, frame) =>
      frame !== null && types.some((type) => isOf(frame, type)) ? [changed(frame, change)] : [text];
    await exam.seated();
    await exam.plays();
    await handOver(exam);
    await goesOn(exam);
  },
});

function changed(frame: Frame, change: (copy: Changed) => void): string {
  const copy = structuredClone(frame) as Changed;
  change(copy);
  return JSON.stringify(copy);
}

/** Something comes that no version of the bot has heard of, and it plays on. */
const injects = (frame: (exam: Exam) => Readonly<Record<string, unknown>>): Case['run'] => {
  return async (exam) => {
    await exam.seated();
    await exam.plays();
    exam.inject(frame(exam));
    await goesOn(exam);
  };
};

const seatsOf = (frame: Changed) => (frame['seats'] ?? frame['players']) as Changed[];

/** Possible additions to the protocol, and settings of servers. */
export const noveltyCases: readonly Case[] = casesOf('new', [
  {
    name: 'message-type',
    done: 'A message of an unknown type comes.',
    sound: 'It ignores it.',
    heading: 'Connecting',
    run: injects(() => ({ type: 'weather_report', text: 'fair' })),
  },
  {
    name: 'table-event',
    done: 'An unknown event of the table comes, numbered like all others.',
    sound: 'It ignores it.',
    heading: 'Connecting',
    run: injects((exam) => ({
      ...(exam.isLean ? {} : { stream: 'event', hand_seq: null, ts: new Date().toISOString(), state_hash: null }),
      table_id: exam.server.table,
      hand_id: null,
      type: 'dealer_changed',
      name: 'zoe',
    })),
  },
  {
    name: 'error-code',
    done: 'An error with an unknown code comes.',
    sound: 'It reports the fault, and plays on.',
    heading: 'Error codes',
    permits: ['coffee_break'],
    run: injects(() => ({ type: 'error', code: 'coffee_break', message: 'The dealer has a coffee' })),
  },
  {
    name: 'fields',
    done: 'your_turn has unknown fields.',
    sound: 'It ignores them.',
    heading: 'Connecting',
    ...withNews(['your_turn'], (frame) => Object.assign(frame, { hint: { odds: [1, 2] }, clock: 'blue' })),
  },
  {
    name: 'option-fields',
    done: 'The entries of valid_actions have another field.',
    sound: 'It ignores it.',
    heading: 'Connecting',
    ...withNews(['your_turn'], (frame) => {
      for (const option of frame['valid_actions'] as Changed[]) option['sound'] = 'click';
    }),
  },
  {
    name: 'seat-fields',
    done: 'Seats in table_state, or players in a lean hand, have unknown fields.',
    sound: 'It ignores them.',
    heading: 'Connecting',
    ...withNews(['table_state', 'hand'], (frame) => {
      for (const seat of seatsOf(frame)) seat['badge'] = { colour: 'green' };
    }),
  },
  {
    name: 'waiting-reason',
    done: 'table_state says an unknown waiting_reason between hands.',
    sound: 'It tolerates it.',
    heading: 'Values',
    notLean: 'it reads no table_state',
    ...withNews(['table_state'], (frame) => {
      if ('waiting_reason' in frame) frame['waiting_reason'] = 'dealer_sneezes';
    }),
  },
  {
    name: 'leave-reason',
    done: 'An opponent leaves for an unknown reason.',
    sound: 'It tolerates it.',
    heading: 'Leaving',
    notLean: 'it reads no player_left of others',
    situation: { cast: [1, 2, 3].map((n) => ({ name: `guest_${n}`, stack: 2000 })) },
    run: async (exam) => {
      exam.wire.toBot = (text, frame) =>
        frame?.type === 'player_left' ? [changed(frame, (copy) => (copy['reason'] = 'went_fishing'))] : [text];
      await exam.seated();
      await exam.plays();
      exam.server.cast.leave(exam.server.table, 'guest_3');
      await exam.see('player_left', toBot('player_left'));
      await goesOn(exam);
    },
  },
  {
    name: 'gap',
    done: 'table_seq jumps by 5,000.',
    sound: 'It thinks nothing of it: numbers jump. In particular it does not resync.',
    heading: 'The envelope',
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      exam.wire.offset += 5000;
      exam.transcript.note('table_seq jumps by 5,000');
      const { mark } = exam;
      await goesOn(exam, 3);
      const asked = exam.since(mark).filter(fromBot('resync_request')).length;
      exam.expect(asked === 0, `It sent resync_request ${asked} times over a gap in table_seq.`);
    },
  },
  {
    name: 'million',
    done: 'table_seq goes on a million higher, as after a restart of the server.',
    sound: 'It goes on from there.',
    heading: 'Frames in detail',
    situation: { seqFloor: 3_000_000 },
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      exam.wire.offset += 1_000_000;
      await goesOn(exam);
      exam.line.cut();
      exam.mayTimeOut = true;
      await exam.connects('a new connection');
      await goesOn(exam);
    },
  },
  {
    name: 'unicode-names',
    done: 'The opponents have long names with accents, ideographs, emoji and quotes.',
    sound: 'It reads them. Names may be any text.',
    heading: 'Connecting',
    situation: {
      cast: [
        { name: 'Ægir–Žižkov 🂡🂱 “The Río” \\" Ünal', stack: 2000 },
        { name: '小明的德州扑克机器人第三号\u202e', stack: 2000 },
      ],
    },
    run: async (exam) => {
      await exam.seated();
      await exam.plays(2);
      await handOver(exam);
      await goesOn(exam);
    },
  },
  {
    name: 'house-bots',
    done: 'Seats carry is_house, is_pro and a public_profile_slug.',
    sound: 'It plays on.',
    heading: 'Frames in detail',
    notLean: 'it reads no table_state',
    ...withNews(['table_state'], (frame) => {
      for (const seat of seatsOf(frame))
        if (seat['name'] !== null) Object.assign(seat, { is_house: true, is_pro: true, public_profile_slug: 'x-1' });
    }),
  },
  {
    name: 'whole-board',
    done: 'The server runs with BOARD_EVENTS=cumulative: community_cards has the whole board each time.',
    sound: 'It takes the board from table_state or your_turn, or tells the two ways apart.',
    heading: 'Frames in detail',
    notLean: 'it reads no community_cards: a turn has the whole board',
    situation: { rules: { boardEvents: 'cumulative' } },
    run: async (exam) => {
      await exam.seated();
      await exam.plays(5);
    },
  },
  {
    name: 'no-state-hash',
    done: 'The server runs with STATE_HASH=off: state_hash is null.',
    sound: 'It plays on without it.',
    heading: 'Frames in detail',
    notLean: 'it reads no state_hash',
    situation: { rules: { stateHash: false } },
    run: async (exam) => {
      await exam.seated();
      await exam.plays(3);
      await handOver(exam);
      await goesOn(exam);
    },
  },
  {
    name: 'no-fair-deals',
    done: 'The server runs with FAIR_DEALS=off: no commitments and no proofs.',
    sound: 'It plays on without them.',
    heading: 'Fair deals',
    notLean: 'it reads nothing of fair deals',
    situation: { rules: { fairDeals: false } },
    run: async (exam) => {
      await exam.seated();
      await exam.plays(2);
      await handOver(exam);
      await goesOn(exam);
    },
  },
  {
    name: 'other-blinds',
    done: 'The table has blinds of 50 and 100, and four seats.',
    sound: 'It takes blinds and seats from the messages, not from the page.',
    heading: 'Playing in a competition',
    situation: { rules: { smallBlind: 50, bigBlind: 100, seats: 4 }, stack: 4000 },
    run: async (exam) => {
      await exam.seated();
      await exam.plays(5);
    },
  },
]);
