import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { drawCards, secureRandom } from '../src/cards/shuffle.js';
import { Hand } from '../src/holdem/hand.js';
import { Act, MAX_SEATS, Refusal, type HandSetup } from '../src/holdem/types.js';
import { atLeast, median, report, told } from './report.js';

/*
 * Whole six-handed hands, every choice random among what the engine offers: fold (when there is something to call), check
 * or call, or a raise of any legal size; fresh stacks of 50 to 250 big blinds for each hand. Ours and poker-ts play the same
 * game, in turns, in one process. Counted is everything a hand takes: shuffling, dealing, asking for the legal actions,
 * validating and carrying out each action, settling; in ours reading the whole event log as well.
 */

const ROUNDS = 9;
const ROUND_MS = 400;
const SMALL_BLIND = 10;
const BIG_BLIND = 20;
const MIN_STACK = 1000;
const STACK_RANGE = 4000;

/** Hands and actions of one side in one round, and the seconds they took. */
interface Played {
  hands: number;
  actions: number;
  seconds: number;
}

/** Marsaglia's xorshift: the players' choices, the same on both sides and cheap beside the hands. */
let state = 20_190_711;
function random(bound: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return Math.floor(((state >>> 0) / 2 ** 32) * bound);
}

const hand = new Hand();
const cards = secureRandom();
const deck = new Uint8Array(2 * MAX_SEATS + 5);
const stacks = new Int32Array(MAX_SEATS);
const setup: HandSetup = {
  button: 0,
  smallBlind: SMALL_BLIND,
  bigBlind: BIG_BLIND,
  dealt: 0b111111,
  stacks,
  deck,
  headsUpBlinds: 'standard',
};
/** What the readers of the logs have seen; printed at the end so that no reading can be left out. */
let checksum = 0;

/** One hand of ours; the number of its actions. */
function playOurs(): number {
  drawCards(deck, deck.length, cards);
  for (let seat = 0; seat < MAX_SEATS; seat++) stacks[seat] = MIN_STACK + random(STACK_RANGE);
  setup.button = (setup.button + 1) % MAX_SEATS;
  hand.start(setup);
  let actions = 0;
  while (!hand.over) {
    const legal = hand.legal();
    const choice = random((legal.fold ? 2 : 1) + (legal.raiseMax > 0 ? 1 : 0));
    let refusal: Refusal;
    if (choice === 0) refusal = hand.act(legal.check ? Act.check : Act.call);
    else if (choice === 1 && legal.fold) refusal = hand.act(Act.fold);
    else refusal = hand.act(Act.raise, legal.raiseMin + random(legal.raiseMax - legal.raiseMin + 1));
    if (refusal !== Refusal.ok) throw new Error(`an offered action was refused: ${refusal}`);
    actions++;
  }
  const { log } = hand;
  for (let event = 0; event < log.length; event++) {
    checksum = (checksum + log.kind(event) + log.seat(event) + log.amount(event) + log.detail(event)) | 0;
  }
  return actions;
}

function roundOfOurs(): Played {
  const played: Played = { hands: 0, actions: 0, seconds: 0 };
  const begin = performance.now();
  let now = begin;
  while (now - begin < ROUND_MS) {
    for (let i = 0; i < 256; i++) played.actions += playOurs();
    played.hands += 256;
    now = performance.now();
  }
  played.seconds = (now - begin) / 1000;
  return played;
}

/** The part of poker-ts in use; the package's own types do not resolve under NodeNext. */
interface PeerTable {
  sitDown(seat: number, buyIn: number): void;
  startHand(): void;
  isHandInProgress(): boolean;
  isBettingRoundInProgress(): boolean;
  areBettingRoundsCompleted(): boolean;
  legalActions(): { actions: PeerAction[]; chipRange?: { min: number; max: number } };
  actionTaken(action: PeerAction, betSize?: number): void;
  endBettingRound(): void;
  showdown(): void;
}
type PeerAction = 'fold' | 'check' | 'call' | 'bet' | 'raise';
type PeerModule = { Table: new (blinds: { smallBlind: number; bigBlind: number }, seats: number) => PeerTable };

const peer = createRequire(import.meta.url)('poker-ts') as PeerModule;

/** One hand of poker-ts; the number of its actions. */
function playPeer(): number {
  const table = new peer.Table({ smallBlind: SMALL_BLIND, bigBlind: BIG_BLIND }, MAX_SEATS);
  for (let seat = 0; seat < MAX_SEATS; seat++) table.sitDown(seat, MIN_STACK + random(STACK_RANGE));
  table.startHand();
  let actions = 0;
  while (table.isHandInProgress()) {
    while (table.isBettingRoundInProgress()) {
      actPeer(table);
      actions++;
    }
    table.endBettingRound();
    if (table.areBettingRoundsCompleted()) table.showdown();
  }
  return actions;
}

function actPeer(table: PeerTable): void {
  const { actions, chipRange } = table.legalActions();
  // It offers a fold when checking is free; ours does not.
  const fold = actions.includes('call');
  const raise = actions.find((action) => action === 'bet' || action === 'raise');
  const choice = random((fold ? 2 : 1) + (raise === undefined ? 0 : 1));
  if (choice === 0) table.actionTaken(fold ? 'call' : 'check');
  else if (choice === 1 && fold) table.actionTaken('fold');
  else table.actionTaken(raise!, chipRange!.min + random(chipRange!.max - chipRange!.min + 1));
}

/** Hands that poker-ts played between two looks of the watchdog. */
const PEER_BATCH = 64;
/** Far longer than any batch takes; a hand still running then never ends. */
const WATCHDOG_MS = 500;
const peerProgress: Played = { hands: 0, actions: 0, seconds: 0 };
let endlessHands = 0;

/** Counts a hand, and its time, only once it is over: what an endless hand takes is left out. */
function peerBatch(): void {
  for (let i = 0; i < PEER_BATCH; i++) {
    const begin = performance.now();
    peerProgress.actions += playPeer();
    peerProgress.seconds += (performance.now() - begin) / 1000;
    peerProgress.hands++;
  }
}

/** Its showdown loops for ever on about one hand in a thousand; a script's time limit is what can interrupt that. */
const PEER_BATCH_NAME = 'engineBenchPeerBatch';
Reflect.set(globalThis, PEER_BATCH_NAME, peerBatch);
const bounded = new Script(`${PEER_BATCH_NAME}()`);

function roundOfPeer(): Played {
  Object.assign(peerProgress, { hands: 0, actions: 0, seconds: 0 });
  while (peerProgress.seconds * 1000 < ROUND_MS) {
    try {
      bounded.runInThisContext({ timeout: WATCHDOG_MS });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      endlessHands++;
    }
  }
  return { ...peerProgress };
}

const handsPerSecond = (played: Played): number => played.hands / played.seconds;
const actionsPerSecond = (played: Played): number => played.actions / played.seconds;

// The first round of each warms up the compiler and is not counted.
roundOfOurs();
roundOfPeer();
const ours: Played[] = [];
const theirs: Played[] = [];
for (let round = 0; round < ROUNDS; round++) {
  ours.push(roundOfOurs());
  theirs.push(roundOfPeer());
}

const ratios = ours.map((played, round) => handsPerSecond(played) / handsPerSecond(theirs[round]!));
const actionRatios = ours.map((played, round) => actionsPerSecond(played) / actionsPerSecond(theirs[round]!));
const perHand = (all: Played[]): number => median(all.map((played) => played.actions / played.hands));
const met = report('engine', [
  atLeast('hands a second, one core', median(ours.map(handsPerSecond)), 'hands/s', 400_000),
  atLeast('times poker-ts, hands', median(ratios), '×', 50),
  told('times poker-ts, actions', median(actionRatios), '×'),
  told('actions a second', median(ours.map(actionsPerSecond)), 'actions/s'),
  told('actions a hand', perHand(ours), 'actions'),
  told('poker-ts hands a second', median(theirs.map(handsPerSecond)), 'hands/s'),
  told('poker-ts actions a hand', perHand(theirs), 'actions'),
  told('poker-ts hands that never ended', endlessHands, 'hands'),
]);
console.log(`\nchecksum of the event logs ${checksum}`);
process.exitCode = met ? 0 : 1;
