import { casesOf, type Case } from '../case.js';
import { CaseFailure, fromBot, toBot, type Exam } from '../exam.js';
import { isOf } from '../wire/words.js';
import { answerInstead, goesOn, handOver, leftItsSeat, loseAction } from './steps.js';

/** The bot's next action becomes one that the rules forbid; the server's own rejection comes back. */
function spoil(exam: Exam): void {
  const { wire } = exam;
  wire.toServer = (text, frame) => {
    if (frame?.type !== 'action') return [text];
    wire.toServer = (each) => [each];
    exam.transcript.note('the action is made invalid on its way');
    return [JSON.stringify({ ...frame, action: 'raise', amount: 1 })];
  };
}

/** The bot's next action becomes a mix of it alone. */
function mixNext(exam: Exam): void {
  const { wire } = exam;
  wire.toServer = (text, frame) => {
    if (frame?.type !== 'action' || typeof frame['action'] === 'object') return [text];
    wire.toServer = (each) => [each];
    exam.transcript.note('the action becomes a mix on its way');
    const { action, amount, ...rest } = frame;
    return [
      JSON.stringify({ ...rest, action: { mix: [{ action, ...(typeof amount === 'number' && { amount }), p: 1 }] } }),
    ];
  };
}

/** The fields of a turn's answer. */
export const actionCases: readonly Case[] = casesOf('action', [
  {
    name: 'ids',
    done: 'The ids of ten actions are looked at.',
    sound: 'Each has hand_id and turn_token of its turn, and a client_action_id of its own of 1 to 128 characters.',
    heading: 'Actions',
    run: async (exam) => {
      await exam.seated();
      await exam.plays(10);
      const actions = exam.transcript.entries.filter(fromBot('action')).map(({ frame }) => frame!);
      const tokens = new Set(actions.map((frame) => frame['turn_token']));
      const ids = new Set(actions.map((frame) => frame['client_action_id']));
      exam.expect(ids.size >= tokens.size, `It used ${ids.size} different ids for ${tokens.size} turns.`);
      const odd = [...ids].filter((id) => typeof id !== 'string' || id.length < 1 || id.length > 128);
      exam.expect(odd.length === 0, `${odd.length} ids are not texts of 1 to 128 characters.`);
    },
  },
  {
    name: 'guessable-ids',
    done: 'The program is started twice. The doctor compares the ids of both runs.',
    sound: 'Ids differ from run to run: an id that was used in a hand counts for its first action only.',
    heading: 'Actions',
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      await exam.plays(2);
      const before = idsOf(exam, 0);
      await exam.restart();
      const { mark } = exam;
      exam.skip();
      await exam.connects();
      await exam.plays(2);
      const again = idsOf(exam, mark).filter((id) => before.includes(id));
      exam.expect(
        again.length === 0,
        `Ids of its first run come again in the second: ${again.slice(0, 3).join(', ')}.`,
      );
    },
  },
  {
    name: 'once-a-turn',
    done: 'Eight turns are looked at.',
    sound: 'It sends one action a turn, and nothing when it is not its turn.',
    heading: 'Actions',
    run: async (exam) => {
      await exam.seated();
      await exam.plays(8);
      const { entries } = exam.transcript;
      const turns = entries.filter(toBot('your_turn')).length;
      const actions = entries.filter(fromBot('action')).length;
      exam.expect(actions <= turns, `It sent ${actions} actions on ${turns} turns.`);
    },
  },
  {
    name: 'rejected',
    done: 'An action is rejected as invalid_action. The turn stays open with the same token.',
    sound: 'It sends another action before the clock runs out: check or fold at least, never the same again.',
    heading: 'Actions',
    permits: ['invalid_action'],
    run: async (exam) => {
      await exam.seated();
      spoil(exam);
      await exam.see('action_rejected', toBot('action_rejected'));
      await exam.accepted('another action in the same turn');
      await goesOn(exam);
    },
  },
  {
    name: 'rejected-in-later-hand',
    done: 'The same in its fifth turn.',
    sound: 'It sends another action before the clock runs out.',
    heading: 'Actions',
    permits: ['invalid_action'],
    run: async (exam) => {
      await exam.seated();
      await exam.plays(4);
      spoil(exam);
      await exam.see('action_rejected', toBot('action_rejected'));
      await exam.accepted('another action in the same turn');
      await goesOn(exam);
    },
  },
  {
    name: 'rejected-again',
    done: 'Every action is answered invalid_action, whatever it is.',
    sound: 'It does not send the same for ever: after a few tries it leaves the turn to the clock.',
    heading: 'Actions',
    settings: { clockMs: 1500 },
    permits: ['invalid_action'],
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      const reason = 'Raise is below the minimum';
      const details = { code: 'invalid_action' };
      answerInstead(exam, 'action', { type: 'action_rejected', code: 'invalid_action', reason, details }, Infinity);
      await exam.turn();
      const { mark } = exam;
      await exam.pass(1200);
      const sent = exam.since(mark).filter(fromBot('action')).length;
      exam.expect(sent <= 10, `It sent ${sent} actions in 1.2 s, though each was rejected.`);
    },
  },
  {
    name: 'mixed',
    done: 'An action becomes a mix of one part on its way. The mix is answered with `drawn` beside the rest.',
    sound: 'It takes the acknowledgement as any other, and plays on.',
    heading: 'Mixed actions',
    run: async (exam) => {
      await exam.seated();
      mixNext(exam);
      const drawn = (frame: object) => 'drawn' in frame;
      await exam.see('the acknowledgement of a mix', (entry) =>
        ['action_ack', 'ack'].some((type) => toBot(type, drawn)(entry)),
      );
      await goesOn(exam);
    },
  },
  {
    name: 'stale',
    done: 'The server rejects an action as stale_turn_token though it was in time: the turn went on without the bot.',
    sound: 'It drops the action and waits for its next turn.',
    heading: 'Actions',
    settings: { clockMs: 1500 },
    permits: ['stale_turn_token'],
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      const reason = 'Stale or missing turn_token';
      const rejection = { type: 'action_rejected', code: 'stale_turn_token', reason };
      answerInstead(exam, 'action', { ...rejection, details: { code: 'stale_turn_token' } }, 1);
      await exam.see('action_rejected', toBot('action_rejected'));
      const { mark } = exam;
      await exam.pass(400);
      const sent = exam.since(mark).filter(fromBot('action')).length;
      exam.expect(sent <= 1, `It sent ${sent} more actions after one was rejected as stale.`);
      await exam.plays(1, 'its next turn answered');
    },
  },
  {
    name: 'no-ack',
    done: 'The server takes an action, but its action_ack never arrives. The hand goes on.',
    sound: 'It follows the state of the table, and answers its next turn.',
    heading: 'Actions',
    run: async (exam) => {
      await exam.seated();
      let left = 1;
      exam.wire.toBot = (text, frame) => (isOf(frame, 'action_ack') && left-- > 0 ? [] : [text]);
      await exam.turn();
      await exam.accepted();
      await goesOn(exam);
    },
  },
  {
    name: 'action-swallowed',
    done: 'An action is lost on its way, though the connection stays. The clock runs out.',
    sound: 'It plays on with its next turn (or repeats the action with the same id meanwhile).',
    heading: 'Actions',
    settings: { clockMs: 1000 },
    mayTimeOut: true,
    run: async (exam) => {
      const lost = loseAction(exam);
      exam.start();
      await exam.within('an action', lost);
      await goesOn(exam);
    },
  },
  {
    name: 'resync-in-turn',
    done: 'In the bot’s turn a resync_response comes, as if it had asked: its snapshot has the turn, open.',
    sound: 'It answers the turn once, not once for each message that tells of it.',
    heading: 'Resync',
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      exam.wire.toBot = (text, frame, line) => {
        if (!isOf(frame, 'your_turn')) return [text];
        exam.wire.toBot = (each) => [each];
        line.say({ type: 'resync_request', table_id: exam.server.table, last_table_seq: exam.lastSeq });
        return [text];
      };
      await exam.turn();
      await exam.see('resync_response', ({ frame }) => frame?.type === 'resync_response');
      await goesOn(exam);
    },
  },
  {
    name: 'turn-by-resync',
    done: 'After a cut your_turn is not sent again. Only the answer to a resync has the open turn.',
    sound: 'It asks for a resync after a reconnect and answers the turn that its snapshot shows.',
    heading: 'Resync',
    settings: { clockMs: 4000 },
    mayTimeOut: true,
    run: async (exam) => {
      exam.wire.toBot = (text, frame) => (isOf(frame, 'your_turn') ? [] : [text]);
      await exam.seated();
      await exam.see('a turn', ({ frame }) => isOf(frame, 'your_turn'));
      exam.line.cut();
      await exam.connects('a new connection');
      const asked = await exam.seen('resync_request', fromBot('resync_request'));
      exam.advise(asked !== null, 'It does not ask for a resync after a reconnect.');
      if (asked === null) {
        exam.wire.toBot = (text) => [text];
        return goesOn(exam);
      }
      await exam.accepted('an answer to the turn in the snapshot');
      exam.wire.toBot = (text) => [text];
      await goesOn(exam);
    },
  },
  {
    name: 'clock',
    done: 'It has one and a half seconds for each decision.',
    sound: 'It answers in time, or checks or folds before the clock does it.',
    heading: 'Time',
    settings: { clockMs: 1500 },
    run: async (exam) => {
      await exam.seated();
      await exam.plays(5);
    },
  },
  {
    name: 'removed',
    done: 'The bot is not heard for three hands: it is removed from the table.',
    sound: 'It reads its own player_left and joins the lobby again.',
    heading: 'Time',
    settings: { clockMs: 300 },
    mayTimeOut: true,
    permits: ['not_at_table', 'not_your_turn', 'stale_turn_token', 'stale_hand_action', 'no_hand_in_progress'],
    run: async (exam) => {
      await exam.seated();
      exam.wire.toServer = (text, frame) => (frame?.type === 'action' ? [] : [text]);
      await exam.see('its own player_left', leftItsSeat);
      exam.wire.toServer = (text) => [text];
      exam.server.openTable({ rules: { actionTimeoutMs: exam.settings.clockMs * 10 } });
      await exam.sits('a new seat');
      await exam.plays();
    },
  },
  {
    name: 'many-hands',
    done: 'Twelve hands in a row, with hardly a pause.',
    sound: 'It plays them all, without a rejection.',
    heading: 'A hand, frame by frame',
    run: async (exam) => {
      await exam.seated();
      for (let n = 0; n < 12; n++) await handOver(exam);
      const { entries } = exam.transcript;
      if (!entries.some(fromBot('action'))) throw new CaseFailure('It never acted.');
    },
  },
  {
    name: 'ends-when-asked',
    done: 'The program is sent SIGTERM, as at the end of every case.',
    sound: 'It ends within two seconds.',
    heading: 'Connecting',
    mayEnd: true,
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      const before = performance.now();
      await exam.bot.stop();
      const took = performance.now() - before;
      exam.advise(took < 1900, 'It does not end on SIGTERM: it had to be killed.');
    },
  },
]);

const idsOf = (exam: Exam, mark: number): string[] =>
  exam
    .since(mark)
    .filter(fromBot('action'))
    .map(({ frame }) => String(frame?.['client_action_id']));
