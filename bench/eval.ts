/**
 * `npx agent-poker bench eval`: seven-card evaluation against phe, @pokertools/evaluator and pokersolver in one
 * process. Every round times all contestants one after the other, in a rotating order, so that a busy machine hits them
 * alike. A ratio is the median over the rounds of their time by ours.
 */
import { evaluate as evaluatePokertools } from '@pokertools/evaluator';
import * as phe from 'phe';
import pokersolver from 'pokersolver';
import { CARD_NAMES, DECK_SIZE, parseCard } from '../src/cards/card.js';
import { boardKey, category, evaluate7, evaluateWithBoard } from '../src/cards/evaluator.js';
import { drawCards, secureRandom, seededRandom } from '../src/cards/shuffle.js';
import { bench, Steps } from './benches.js';
import { atLeast, median, report, told, type Figure } from './report.js';

bench('eval', {});
const steps = new Steps(3);
/**
 * Few enough that the typed hands stay in the cache beside the tables, and many enough that no branch is learnt by
 * heart.
 */
const HANDS = 50_000;
/** pokersolver takes microseconds a hand: a few hands of it are enough. */
const SOLVER_HANDS = 500;
const ROUNDS = 25;
/** Everybody gets about as long a turn, over as many passes as fit: a short one would measure the cold caches. */
const TURN_MS = 10;

/** The same hands in every form that a contestant takes. */
interface Hands {
  /** Our codes, seven to a hand. */
  typed: Uint8Array;
  /** phe's codes (and @pokertools/evaluator's), a plain array to a hand. */
  codes: number[][];
  names: string[][];
}

interface Contestant {
  hands: number;
  /** Evaluates the hands once; the result only keeps the work from being optimised away. */
  pass: () => number;
  /** ns a hand, one entry a round. */
  times: number[];
}

function inAllForms(typed: Uint8Array): Hands {
  const ours = Array.from({ length: HANDS }, (_, i) => Array.from(typed.subarray(7 * i, 7 * i + 7)));
  return {
    typed,
    codes: ours.map((hand) => hand.map((card) => card ^ 3)),
    names: ours.map((hand) => hand.map((card) => CARD_NAMES[card]!)),
  };
}

function randomHands(seed: number): Hands {
  const random = seededRandom(seed);
  const typed = new Uint8Array(HANDS * 7);
  for (let i = 0; i < HANDS; i++) drawCards(typed.subarray(7 * i), 7, random);
  return inAllForms(typed);
}

/** Stretches of a thousand hands that follow each other in the enumeration, from random places all over it. */
function sequentialHands(seed: number): Hands {
  const random = seededRandom(seed);
  const typed = new Uint8Array(HANDS * 7);
  const hand = new Uint8Array(7);
  for (let i = 0; i < HANDS; i++) {
    if (i % 1000 === 0) {
      drawCards(hand, 7, random);
      hand.sort();
    } else if (!toNext(hand)) {
      hand.set([0, 1, 2, 3, 4, 5, 6]);
    }
    typed.set(hand, 7 * i);
  }
  return inAllForms(typed);
}

/** Steps to the next combination in lexicographic order; false after the last. */
function toNext(hand: Uint8Array): boolean {
  let place = 6;
  while (place >= 0 && hand[place] === DECK_SIZE - 7 + place) place--;
  if (place < 0) return false;
  hand[place]!++;
  for (let i = place + 1; i < 7; i++) hand[i] = hand[i - 1]! + 1;
  return true;
}

// Every contestant is a loop of its own, as a caller would write it.

function oursTyped({ typed }: Hands): number {
  let sum = 0;
  for (let i = 0; i < HANDS * 7; i += 7) {
    sum =
      (sum +
        evaluate7(
          typed[i]!,
          typed[i + 1]!,
          typed[i + 2]!,
          typed[i + 3]!,
          typed[i + 4]!,
          typed[i + 5]!,
          typed[i + 6]!,
        )) |
      0;
  }
  return sum;
}

/** phe's codes count the suits s h d c, ours c d h s: `^ 3` converts. */
const valueOfPheCodes = (c: readonly number[]): number =>
  evaluate7(c[0]! ^ 3, c[1]! ^ 3, c[2]! ^ 3, c[3]! ^ 3, c[4]! ^ 3, c[5]! ^ 3, c[6]! ^ 3);

const valueOfNames = (n: readonly string[]): number =>
  evaluate7(
    parseCard(n[0]!),
    parseCard(n[1]!),
    parseCard(n[2]!),
    parseCard(n[3]!),
    parseCard(n[4]!),
    parseCard(n[5]!),
    parseCard(n[6]!),
  );

function oursCodes({ codes }: Hands): number {
  let sum = 0;
  for (const hand of codes) sum = (sum + valueOfPheCodes(hand)) | 0;
  return sum;
}

function pheCodes({ codes }: Hands): number {
  let sum = 0;
  for (const hand of codes) sum = (sum + phe.evaluateCardCodes(hand)) | 0;
  return sum;
}

function oursNames({ names }: Hands): number {
  let sum = 0;
  for (const hand of names) sum = (sum + valueOfNames(hand)) | 0;
  return sum;
}

function pheNames({ names }: Hands): number {
  let sum = 0;
  for (const hand of names) sum = (sum + phe.evaluateCards(hand)) | 0;
  return sum;
}

function pokertoolsCodes({ codes }: Hands): number {
  let sum = 0;
  for (const hand of codes) sum = (sum + evaluatePokertools(hand)) | 0;
  return sum;
}

function solverNames({ names }: Hands): number {
  let sum = 0;
  for (let i = 0; i < SOLVER_HANDS; i++) sum = (sum + pokersolver.Hand.solve(names[i]!).rank) | 0;
  return sum;
}

/** A bench of evaluators that disagree would measure nothing. */
function checkAgreement({ codes, names }: Hands): void {
  for (let i = 0; i < SOLVER_HANDS; i++) {
    const ours = category(valueOfPheCodes(codes[i]!));
    const others = [
      category(valueOfNames(names[i]!)),
      8 - phe.handRank(phe.evaluateCardCodes(codes[i]!)),
      8 - phe.handRank(phe.evaluateCards(names[i]!)),
      8 - phe.handRank(evaluatePokertools(codes[i]!)),
      pokersolver.Hand.solve(names[i]!).rank - 1,
    ];
    if (others.some((other) => other !== ours))
      throw new Error(`${names[i]!.join(' ')}: ${ours}, others ${others.join()}`);
  }
}

function timeRounds(contestants: Contestant[]): void {
  const warmed = contestants.map((contestant) => ({ contestant, passes: warmUp(contestant) }));
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < warmed.length; turn++) {
      const { contestant, passes } = warmed[(turn + round) % warmed.length]!;
      contestant.times.push((timePasses(contestant, passes) * 1e6) / (passes * contestant.hands));
    }
  }
}

/** Runs a contestant until the compiler has settled; returns how many of its passes fill a turn. */
function warmUp(contestant: Contestant): number {
  let passes = 0;
  for (let ms = 0; ms < 20 * TURN_MS || passes < 10; passes++) ms += timePasses(contestant, 1);
  return Math.max(1, Math.round(TURN_MS / (timePasses(contestant, 5) / 5)));
}

/** Milliseconds for a number of passes. */
function timePasses(contestant: Contestant, passes: number): number {
  let sink = 0;
  const start = performance.now();
  for (let pass = 0; pass < passes; pass++) sink += contestant.pass();
  const ms = performance.now() - start;
  if (Number.isNaN(sink)) throw new Error('a contestant returned no number');
  return ms;
}

function compare(kind: string, hands: Hands): Figure[] {
  steps.next(`${kind} hands`);
  checkAgreement(hands);
  const contestant = (run: (hands: Hands) => number, count = HANDS): Contestant => ({
    hands: count,
    pass: () => run(hands),
    times: [],
  });
  const ours = contestant(oursTyped);
  const onCodes = contestant(oursCodes);
  const onNames = contestant(oursNames);
  const pheOnCodes = contestant(pheCodes);
  const pheOnNames = contestant(pheNames);
  const pokertools = contestant(pokertoolsCodes);
  const solver = contestant(solverNames, SOLVER_HANDS);
  timeRounds([ours, pheOnCodes, onCodes, pokertools, onNames, pheOnNames, solver]);

  const ratio = (theirs: Contestant, mine: Contestant): number =>
    median(theirs.times.map((time, round) => time / mine.times[round]!));
  return [
    atLeast(`${kind}: typed input, times phe`, ratio(pheOnCodes, ours), '×', 9),
    atLeast(`${kind}: phe's code arrays, times phe`, ratio(pheOnCodes, onCodes), '×', 3),
    atLeast(`${kind}: phe's card names, times phe`, ratio(pheOnNames, onNames), '×', 3),
    told(`${kind}: typed input, times @pokertools/evaluator`, ratio(pokertools, ours), '×'),
    told(`${kind}: typed input, times pokersolver`, ratio(solver, ours), '×'),
    told(`${kind}: ours, typed input`, median(ours.times), 'ns/hand'),
    told(`${kind}: ours, phe's code arrays`, median(onCodes.times), 'ns/hand'),
    told(`${kind}: ours, card names`, median(onNames.times), 'ns/hand'),
    told(`${kind}: phe, code arrays`, median(pheOnCodes.times), 'ns/hand'),
    told(`${kind}: phe, card names`, median(pheOnNames.times), 'ns/hand'),
    told(`${kind}: @pokertools/evaluator`, median(pokertools.times), 'ns/hand'),
    told(`${kind}: pokersolver`, median(solver.times), 'ns/hand'),
  ];
}

/** A table's work for a hand: six players' showdown with the board summed once, and the secure deal of 17 cards. */
function tableWork(): Figure[] {
  const cards = new Uint8Array(17 * HANDS);
  const random = seededRandom(3);
  for (let i = 0; i < HANDS; i++) drawCards(cards.subarray(17 * i), 17, random);
  const board = new Uint8Array(5);
  const showdowns: Contestant = {
    hands: HANDS * 6,
    times: [],
    pass: () => {
      let sum = 0;
      for (let i = 0; i < HANDS; i++) {
        const at = 17 * i;
        for (let j = 0; j < 5; j++) board[j] = cards[at + 12 + j]!;
        const key = boardKey(board);
        for (let j = at; j < at + 12; j += 2) sum = (sum + evaluateWithBoard(key, board, cards[j]!, cards[j + 1]!)) | 0;
      }
      return sum;
    },
  };
  const secure = secureRandom();
  const out = new Uint8Array(17);
  const deals: Contestant = {
    hands: HANDS,
    times: [],
    pass: () => {
      let sum = 0;
      for (let i = 0; i < HANDS; i++) {
        drawCards(out, 17, secure);
        sum = (sum + out[16]!) | 0;
      }
      return sum;
    },
  };
  steps.next('what a table pays a hand');
  timeRounds([showdowns, deals]);
  return [
    told('showdown of six, board summed once', median(showdowns.times), 'ns/hand'),
    told('secure deal of 17 cards', median(deals.times), 'ns/deal'),
  ];
}

report('eval', [...compare('random', randomHands(1)), ...compare('sequential', sequentialHands(2)), ...tableWork()]);
