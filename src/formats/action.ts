import { Act, ActionRefusal } from '../holdem/types.js';
import { HandFileError } from './file.js';
import type { ActionWord } from './hand.js';
import type { RawAction, RawHand } from './raw.js';
import type { FileTable } from './table.js';

/** How the actor and amounts are written in messages. */
interface Words {
  name: string;
  amount(units: number): string;
}

/**
 * Carries out the action of the player in turn, and says what it was. An all-in is a call, a bet or a raise here.
 * @throws {HandFileError} where the rules refuse it, or where an amount is not the computed one
 */
export function play(
  table: FileTable,
  action: RawAction & { line: number },
  rules: RawHand['rules'],
  words: Words,
): ActionWord {
  const fail = (what: string): never => {
    throw new HandFileError(`${words.name} ${what}.`, action.line);
  };
  const legal = table.legal();
  const [bet, stack, price] = [table.bet(table.actor), table.stack(table.actor), table.price];
  switch (action.action) {
    case 'fold':
      if (!legal.fold && rules === 'engine') fail('folds where checking is free');
      table.act(Act.fold);
      return 'fold';
    case 'check':
      if (!legal.check) fail(`checks, and ${words.amount(price - bet)} are to call`);
      table.act(Act.check);
      return 'check';
    case 'call':
      return call(table, action, fail, words);
    case 'pass':
      if (!legal.check) return call(table, action, fail, words);
      table.act(Act.check);
      return 'check';
    case 'all_in':
      if (action.added !== null && action.added !== stack) {
        fail(`goes all-in with ${words.amount(action.added)} of ${words.amount(stack)}`);
      }
      if (stack <= price - bet) return call(table, action, fail, words);
      return raise(table, { ...action, to: bet + stack }, rules, fail, words);
    case 'bet':
      if (price > 0) fail(`bets after a bet of ${words.amount(price)}`);
      return raise(table, action, rules, fail, words);
    case 'raise':
      return raise(table, action, rules, fail, words);
  }
}

type Fail = (what: string) => never;

function call(table: FileTable, { added }: RawAction, fail: Fail, { amount }: Words): ActionWord {
  const { call: chips } = table.legal();
  if (chips === 0) fail('calls, and nothing is to call');
  if (added === null || added === chips) {
    table.act(Act.call);
    return 'call';
  }
  // Rooms let a player call no more than the others, who are all-in, have bet.
  const { bet, allIn } = table.rivals;
  if (!allIn || added !== bet - table.bet(table.actor))
    fail(`calls ${amount(added)}, and ${amount(chips)} are to call`);
  table.callShort(added);
  return 'call';
}

function raise(
  table: FileTable,
  { to, by }: RawAction,
  rules: RawHand['rules'],
  fail: Fail,
  { amount }: Words,
): ActionWord {
  const { price } = table;
  const all = table.bet(table.actor) + table.stack(table.actor);
  const word = price === 0 ? 'bet' : 'raise';
  const what = word === 'bet' ? 'bets' : 'raises to';
  if (to === null) return fail(`${what} no amount`);
  if (to > all) fail(`${what} ${amount(to)} and has ${amount(all)}`);
  if (to <= price) fail(`${what} ${amount(to)}, and the price is ${amount(price)}`);
  if (by !== null && to - price !== by) fail(`raises by ${amount(by)} to ${amount(to)} over a bet of ${amount(price)}`);
  const refusal = table.refusal(Act.raise, to);
  if (refusal === ActionRefusal.raiseTooSmall) {
    fail(`${what} ${amount(to)}, and the least is ${amount(table.legal().raiseMin)}`);
  }
  // Rooms let a player bet chips that nobody can call: they go back.
  if (refusal !== ActionRefusal.ok && !(rules === 'room' && table.rivals.allIn)) {
    fail(`${what} ${amount(to)}, and no raise is open to the player`);
  }
  table.act(Act.raise, to);
  return word;
}
