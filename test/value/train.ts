import { writeFileSync } from 'node:fs';
import { cellOfHoleCards } from '../../src/analytics/starting-hands.js';
import { positionsOf } from '../../src/holdem/positions.js';
import { STRATEGY_NAMES } from '../../src/bots/index.js';
import { uniformBelow } from '../../src/cards/shuffle.js';
import { command, seed as seedOption, text, whole } from '../../src/command/options.js';
import { Progress } from '../../src/command/progress.js';
import { boardFacts } from '../../src/value/board-facts.js';
import { BOARD_EVENTS, BOARD_TERMS, boardRows, eventTerms, SHARE_TERMS } from '../../src/value/board-model.js';
import { DEAL_CELLS, dealFrom, HAND_CLASSES, PAIR_CELLS, pairCell } from '../../src/value/deal-model.js';
import { valueFunctionOf, type ValueData } from '../../src/value/value-function.js';
import { LuckTable, type PlayedLuckHand } from '../../bench/luck/play.js';
import { Crowd } from './crowd.js';
import { Ridge } from './regression.js';

const { values: options } = command({
  name: 'npm run campaign -- value-train',
  purpose:
    'Trains the value function that measures luck, from hands of the house styles and mixtures of them, and writes it for\n' +
    'TypeScript and Python. A pool that records another function keeps it: this release no longer measures luck there.',
  takes: 'two minutes of one core with the defaults',
  options: {
    hands: whole('hands for the board', 24_000, { least: 1000 }),
    deals: whole('more hands for the deal', 120_000, { least: 1000 }),
    seed: seedOption('repeats a training', 43),
    typescript: text('file for TypeScript (default src/value/value-data.generated.ts)', 'FILE'),
    python: text('file for Python (default sdk/python/src/agent_poker/value.json)', 'FILE'),
  },
});

const UNITS = 10_000;
const BIG = 100;
/** Where a share of the pot is worth so much without any hands. */
const SHARE_PRIOR = 0.8;
const BOARD_PENALTY = 3000;
/** Hands of a cell by which its mean counts for half. */
const [CLASS_PENALTY, CELL_PENALTY, PAIR_PENALTY] = [300, 1500, 1200];
/** Limits of a table's numbers in big blinds: see DealModel. */
const [MOST_OWN, MOST_PAIR] = [15, 13];

const crowd = new Crowd(STRATEGY_NAMES, options.seed, 6);
const six = new Crowd(STRATEGY_NAMES, options.seed + 1);
const tables = new Map([2, 3, 4, 5, 6].map((players) => [players, new LuckTable(players)]));
const progress = new Progress(options.hands + options.deals, 'hands');
let played = 0;

/** Half of the hands are of the six styles, the others of any mixture; some with fewer players or uneven stacks. */
function next(): PlayedLuckHand {
  const { random } = crowd;
  const kind = uniformBelow(8, random);
  const players = kind === 7 ? 2 + uniformBelow(4, random) : 6;
  const minds = (kind < 4 ? six : crowd).seat(players);
  const stacks = minds.map(() => (kind === 6 ? 20 + uniformBelow(230, random) : BIG));
  const table = tables.get(players)!;
  table.draw(random);
  progress.show(++played);
  return table.play(`train-${played}`, minds, stacks);
}

function trainBoard(): number[][] {
  const ridge = new Ridge(BOARD_EVENTS * BOARD_TERMS);
  for (let n = 0; n < options.hands; n++) {
    const { hand, chances, results } = next();
    const rows = new Map<number, { places: number[]; values: number[] }>();
    const left = results.slice();
    for (const event of chances.events) {
      const facts = boardFacts({ ...hand, holes: hand.players }, event);
      const seats = hand.players.map(({ seat }) => seat).filter((seat) => (event.live & (1 << seat)) !== 0);
      if (facts.pairs === null) {
        seats.forEach((seat, i) => (left[seat] = left[seat]! - facts.shift[i]! / hand.bigBlind));
        continue;
      }
      boardRows(facts, eventTerms(event, hand.bigBlind), hand.bigBlind).forEach((row, i) => {
        const kept = rows.get(seats[i]!) ?? { places: [], values: [] };
        rows.set(seats[i]!, kept);
        row.forEach((value, term) => {
          if (value === 0) return;
          kept.places.push(event.street * BOARD_TERMS + term);
          kept.values.push(value);
        });
      });
    }
    for (const [seat, { places, values }] of rows) ridge.add(places, values, left[seat]!);
  }
  const prior = Array.from({ length: BOARD_EVENTS * BOARD_TERMS }, (_, i) =>
    i % BOARD_TERMS < SHARE_TERMS ? SHARE_PRIOR : 0,
  );
  const found = ridge.solve(prior, BOARD_PENALTY);
  return Array.from({ length: BOARD_EVENTS }, (_, event) =>
    whole10k(found.subarray(event * BOARD_TERMS, (event + 1) * BOARD_TERMS)),
  );
}

const whole10k = (numbers: ArrayLike<number>, most = Infinity) =>
  Array.from(numbers, (value) => Math.round(UNITS * Math.max(-most, Math.min(most, value))));

/** Means of classes by position, drawn to the class's mean; then what is left between each two classes. */
function trainDeal() {
  const sums = new Float64Array(DEAL_CELLS);
  const counts = new Float64Array(DEAL_CELLS);
  const pairSums = new Float64Array(PAIR_CELLS);
  const pairCounts = new Float64Array(PAIR_CELLS);
  const hands: { cells: number[]; places: number[]; results: Float64Array }[] = [];
  for (let n = 0; n < options.deals; n++) {
    const { hand, results } = next();
    if (hand.players.some(({ stackStart }) => stackStart !== BIG * hand.bigBlind)) continue;
    const seats = hand.players.map(({ seat }) => seat);
    const positions = positionsOf(seats, hand.button, hand.bigBlindSeat);
    const places = hand.players.map(({ hole }) => cellOfHoleCards(hole[0], hole[1]));
    const cells = seats.map((seat, i) => dealFrom(seats.length, positions.get(seat)!) + places[i]!);
    cells.forEach((cell, i) => {
      sums[cell] = sums[cell]! + results[i]!;
      counts[cell] = counts[cell]! + 1;
    });
    hands.push({ cells, places, results });
  }
  const own = ownTable(sums, counts);
  for (const { cells, places, results } of hands) {
    const mean = cells.reduce((sum, cell) => sum + own[cell]!, 0) / cells.length;
    const left = cells.map((cell, i) => results[i]! - (own[cell]! - mean) * (cells.length / (cells.length - 1)));
    for (let i = 0; i < cells.length; i++) {
      for (let j = 0; j < cells.length; j++) {
        if (places[i]! <= places[j]!) continue;
        const cell = pairCell(places[i]!, places[j]!);
        pairSums[cell] = pairSums[cell]! + (left[i]! - left[j]!) / 2;
        pairCounts[cell] = pairCounts[cell]! + 1;
      }
    }
  }
  const pairs = pairSums.map((sum, cell) => sum / (pairCounts[cell]! + PAIR_PENALTY));
  return { own: whole10k(own, MOST_OWN), pairs: whole10k(pairs, MOST_PAIR) };
}

function ownTable(sums: Float64Array, counts: Float64Array): Float64Array {
  const own = new Float64Array(DEAL_CELLS);
  for (let place = 0; place < HAND_CLASSES; place++) {
    let [sum, count] = [0, 0];
    for (let cell = place; cell < DEAL_CELLS; cell += HAND_CLASSES) {
      sum += sums[cell]!;
      count += counts[cell]!;
    }
    const mean = sum / (count + CLASS_PENALTY);
    for (let cell = place; cell < DEAL_CELLS; cell += HAND_CLASSES) {
      own[cell] = mean + (sums[cell]! - mean * counts[cell]!) / (counts[cell]! + CELL_PENALTY);
    }
  }
  return own;
}

const board = trainBoard();
const data: ValueData = { version: 1, units: UNITS, ...trainDeal(), board };
progress.clear();
const json = JSON.stringify(data);
const { sha256 } = valueFunctionOf(json);
writeFileSync(
  options.typescript ?? 'src/value/value-data.generated.ts',
  `/** Written by \`npm run campaign -- value-train\`: the text of a ValueData. */\nexport const VALUE_DATA =\n  '${json}';\n`,
);
writeFileSync(options.python ?? 'sdk/python/src/agent_poker/value.json', json);
console.log(`${json.length} bytes, SHA-256 ${sha256}`);
