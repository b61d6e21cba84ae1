import { CaseFailure, NotReached, toBot, fromBot, type Exam } from '../exam.js';
import type { TableSituation } from '../server/private-server.js';
import type { Entry, Frame } from '../wire/transcript.js';
import { isOf, askedTurnOf, type WireTurn } from '../wire/words.js';

/** Steps and conditions that cases of several subjects share. */

/** An attempt to connect, refused or not. */
export const connecting = ({ from, text }: Entry): boolean =>
  from === 'doctor' && (text.startsWith('the bot opens') || text.startsWith('attempt'));

export const hasEnded = ({ from, text }: Entry): boolean => from === 'doctor' && text.startsWith('the program ended');

/** Held back on its way: everything the server says from the bot's next turn on, the turn included. */
export function holdTurn(exam: Exam): Promise<Frame> {
  return new Promise((resolve) => {
    const { wire } = exam;
    const before = wire.toBot;
    wire.toBot = (text, frame, line) => {
      if (frame === null || !isOf(frame, 'your_turn')) return before(text, frame, line);
      wire.toBot = before;
      line.holdToBot();
      resolve(frame);
      return [text];
    };
  });
}

/** The bot reads that it has lost its seat. */
export const leftItsSeat = toBot('player_left', ({ seat }) => seat === 0);

/** The bot's next action does not go on to the server; resolves with it. */
export function loseAction(exam: Exam): Promise<Frame> {
  return new Promise((resolve) => {
    const { wire } = exam;
    const before = wire.toServer;
    wire.toServer = (text, frame, line) => {
      if (frame?.type !== 'action') return before(text, frame, line);
      wire.toServer = before;
      resolve(frame);
      return [];
    };
  });
}

/** The bot's messages of a type do not go on; `instead` is said to it. */
export function answerInstead(exam: Exam, type: string, instead: object, times: number): void {
  const { wire } = exam;
  let left = times;
  const before = wire.toServer;
  wire.toServer = (text, frame, line) => {
    if (frame?.type !== type || left === 0) return before(text, frame, line);
    left--;
    line.inject(instead);
    return [];
  };
}

/** After something happened to it the bot goes on playing. */
export async function goesOn(exam: Exam, count = 2): Promise<void> {
  exam.skip();
  await exam.plays(count, 'a turn that the bot answers, afterwards');
}

/** It does not ask again without end: so many messages of a type at most in that time. */
export async function doesNotHammer(exam: Exam, type: string, ms: number, most: number): Promise<void> {
  const { mark } = exam;
  await exam.pass(ms);
  const sent = exam.since(mark).filter(fromBot(type)).length;
  exam.expect(sent <= most, `It sent ${type} ${sent} times in ${ms / 1000} s, though each was refused.`);
}

/** How often a situation is set up anew for a bot that decides otherwise. */
const TRIES = 6;

/**
 * Sets the table up until the bot has met such a turn and answered it. Tables are closed in between, as by an operator.
 * Throws NotReached where the bot's own decisions never lead there.
 */
export async function meets(
  exam: Exam,
  situation: TableSituation,
  what: string,
  matches: (turn: WireTurn) => boolean,
): Promise<WireTurn> {
  for (let n = 0; n < TRIES; n++) {
    if (n > 0) {
      exam.server.closeTable();
      // It may have lost its stack meanwhile.
      await exam.see('table_closed', (entry) => toBot('table_closed')(entry) || leftItsSeat(entry));
      exam.server.openTable(situation);
    }
    await exam.sits();
    const turn = await firstHand(exam, matches);
    if (turn !== null) {
      exam.transcript.note(`the situation: ${what}`);
      return turn;
    }
  }
  throw new NotReached();
}

/** The answered turn of this kind in the hand that begins; null for none. */
async function firstHand(exam: Exam, matches: (turn: WireTurn) => boolean): Promise<WireTurn | null> {
  for (;;) {
    const { frame } = await exam.see('the end of the hand, or a turn', (entry) =>
      [toBot('your_turn'), toBot('hand_result')].some((each) => each(entry)),
    );
    if (frame === null || !isOf(frame, 'your_turn')) return null;
    const turn = askedTurnOf(frame);
    await exam.accepted('an answer to the turn that the table accepts');
    if (matches(turn)) return turn;
  }
}

export const optionOf = (turn: WireTurn, action: string) =>
  turn.valid_actions.find((option) => option.action === action);

/** The table comes to a state; a lean socket is not told of it, so there the server is asked. */
export async function tableIs(exam: Exam, what: string, matches: (state: Frame) => boolean): Promise<void> {
  if (exam.isLean) await exam.comesTo(what, () => matches(exam.server.state()));
  else await exam.see(what, toBot('table_state', matches));
}

/** The table state as it was given to the bot last. Throws Failure where it was given none. */
export function lastState(exam: Exam): Frame {
  const state = exam.transcript.entries.findLast(toBot('table_state'))?.frame;
  if (state === undefined || state === null) throw new CaseFailure('The bot has read no table_state.');
  return state;
}

/** The hand ends as far as the bot reads. */
export const handOver = (exam: Exam): Promise<Entry> => exam.see('hand_result', toBot('hand_result'));
