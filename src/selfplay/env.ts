import { createInterface } from 'node:readline';
import { legalChoice, type Action, type Mix } from '../../sdk/typescript/src/hand.js';
import { IllegalAction } from '../../sdk/typescript/src/errors.js';
import { seededRandom } from '../cards/shuffle.js';
import { BIG_BLIND, MemoryTable, SMALL_BLIND } from '../memory/memory-table.js';
import { mindMaker, type SelfplayEntrant } from './minds.js';
import { LINES_VERSION, readLine, type BotActions, type LineOfBot } from './stdio/lines.js';
import { TurnWriter } from './stdio/turn.js';

export interface EnvironmentOptions {
  /** Seats from 0 on that the caller plays. */
  agents: number;
  /** The bots on the seats after them. */
  entrants: readonly SelfplayEntrant[];
  /** Chips that everybody begins each hand with. */
  stack: number;
  /** The seed of the bots' dice. */
  seed: number;
}

type Line = Extract<LineOfBot, { reset: unknown }> | Extract<LineOfBot, { actions: unknown }>;

/** Plays hands as their resets ask for them, by lines on stdin and stdout. Resolves to 0 when stdin ends. */
export async function playEnvironment(options: EnvironmentOptions): Promise<number> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const makers = await Promise.all(options.entrants.map(({ source }) => mindMaker(source)));
  const names = [
    ...Array.from({ length: options.agents }, (_, agent) => `agent_${agent}`),
    ...options.entrants.map(({ name }) => name),
  ];
  const table = new EnvironmentTable(options, names, (seat, handSeed) => {
    const mind = makers[seat - options.agents]!(options.seed + handSeed + seat);
    if (typeof mind !== 'function') throw new Error('a command plays no environment');
    return mind;
  });
  const { stack, seed } = options;
  const hello = {
    version: LINES_VERSION,
    seed,
    you: 'agents',
    bots: names,
    stack,
    blinds: [SMALL_BLIND, BIG_BLIND],
    tables: 1,
  };
  say(JSON.stringify({ hello }));
  for await (const text of createInterface(process.stdin)) {
    const line = readLine(text);
    if (line !== null && 'hello' in line) continue;
    say(line === null ? refusal(`this is no line of the protocol: ${text.slice(0, 80)}`) : await table.answer(line));
  }
  return 0;
}

/** Seeds of dice lie so far from those of cards. */
const DICE_APART = 2 ** 40;

const refusal = (error: string): string => JSON.stringify({ error });

/** One hand at a time: the same seed gives the same cards, button and dice. */
export class EnvironmentTable {
  readonly #table: MemoryTable;
  #writers: readonly TurnWriter[] = [];
  #minds: ReturnType<MindAt>[] = [];
  #handId = '';
  #number = 0;

  constructor(
    private readonly options: EnvironmentOptions,
    private readonly names: readonly string[],
    private readonly mindAt: MindAt,
  ) {
    this.#table = new MemoryTable(names);
  }

  /** The line that follows a line of the caller. An action that is refused changes nothing. */
  async answer(line: Line): Promise<string> {
    if ('reset' in line) this.#deal(line.reset.seed);
    else {
      const wrong = this.#play(line.n, line.actions);
      if (wrong !== null) return refusal(wrong);
    }
    return this.#goOn();
  }

  /** The button is on seat `seed` modulo the players, so that it moves with seeds that rise. */
  #deal(seed: number): void {
    const players = this.names.length;
    const { stack, agents } = this.options;
    this.#table.draw(seededRandom(seed % 2 ** 48));
    this.#table.dice = seededRandom((seed + DICE_APART) % 2 ** 48);
    this.#handId = String(seed);
    this.#table.deal(this.#handId, seed % players, new Array<number>(players).fill(stack));
    this.#writers = this.names.slice(0, agents).map(() => new TurnWriter());
    this.#minds = this.names.slice(agents).map((_, place) => this.mindAt(agents + place, seed % 2 ** 40));
  }

  /** Plays the agent's action; a text tells what is wrong with it. */
  #play(n: number, actions: BotActions): string | null {
    if (this.#table.hand.over) return 'no hand is open: reset it';
    const seat = this.#table.hand.actor;
    const [given] = actions;
    if (n !== this.#number || actions.length !== 1 || given?.t !== seat)
      return `line ${this.#number} asks table ${seat}`;
    return this.#act(typeof given.action === 'object' ? given.action : given)
      ? null
      : `${JSON.stringify(given)} is not allowed`;
  }

  /** Does what is answered, where the rules allow it. */
  #act(answer: unknown): boolean {
    let choice: Action | Mix;
    try {
      choice = legalChoice(this.#table.turn(), answer);
    } catch (error) {
      if (error instanceof IllegalAction) return false;
      throw error;
    }
    return this.#table.play(choice);
  }

  /** Lets the bots play until an agent is to act or the hand is over, and tells how it stands. */
  async #goOn(): Promise<string> {
    const { agents } = this.options;
    while (!this.#table.hand.over && this.#table.hand.actor >= agents) {
      const turn = this.#table.turn();
      const answer = await this.#minds[turn.seat - agents]!(turn);
      if (!this.#act(answer)) this.#act(turn.safe);
    }
    const { actor, over } = this.#table.hand;
    const seen = this.#writers.map((writer, t) => {
      return `{"t":${t},"hand":${writer.write(this.#table.hand, this.#handId, t, this.names)}}`;
    });
    if (!over) {
      const [own] = seen.splice(actor, 1);
      return `{"n":${++this.#number},"decide":[${own}],"see":[${seen.join()}]}`;
    }
    const { finalStacks } = this.#table.hand.outcome;
    const results = seen.map((_, t) => {
      return `{"t":${t},"hand_id":"${this.#handId}","chips":${finalStacks[t]! - this.options.stack}}`;
    });
    return `{"results":[${results.join()}],"see":[${seen.join()}]}`;
  }
}

/** A bot's mind for one hand. */
type MindAt = (
  seat: number,
  handSeed: number,
) => Exclude<ReturnType<Awaited<ReturnType<typeof mindMaker>>>, { ended: unknown }>;
