import { setTimeout as sleep } from 'node:timers/promises';
import { KitPlayer } from '../../src/bots/kit-player.js';
import type { Scope } from '../support/database.js';
import { eventually } from '../support/limits.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { Line } from './line.js';
import { Program, type Bot } from './program.js';
import { Witness } from './witness.js';

/**
 * A bot program on a bad line: what a kit promises, held against what others at its table see. The program finds
 * BASE_URL, WS_URL, API_KEY and NONCES=1 (takes part in the shuffle) or LEAN=1 in its environment. It plays until
 * SIGTERM. For each event it writes a line of JSON with the fields of the kit's hooks: `{"event": "warning" |
 * "connection" | "decision" | "verified" | "end", …}`. `end` has the summary, and is the last.
 */
export interface Scenario extends Bot {
  cuts: number;
  kills: number;
  /** Seconds for a decision; what harms the line is over long before. */
  turnSeconds: number;
  /** Whether a line may also be dead without a word, which takes a kit 20 s to find. */
  deadLines: boolean;
  chance: (below: number) => number;
  /** Told of each thing done to the line. */
  onStep?: (step: string) => void;
}

export interface Proof {
  /** By what was done. */
  harm: Readonly<Record<string, number>>;
  hands: number;
  decisions: number;
  connections: number;
  /** Hands with a deal that the bot checked. */
  verified: number;
  /** ms from the end of what harmed the line to the bot's next decision that counted. */
  returns: readonly number[];
  /** The faults of a run. Empty for a good one. */
  faults: readonly string[];
  summary: unknown;
}

const STEPS = ['cut', 'cut before a word', 'cut after a word', 'stall', 'slow', 'split', 'refused'] as const;
type Step = (typeof STEPS)[number] | 'dead line' | 'kill';

export async function prove(t: Scope, scenario: Scenario): Promise<Proof> {
  const platform = await ForkedPlatform.start(t, {
    REBUY_COOLDOWNS: '0',
    REBUY_COOLDOWNS_PRO: '0',
    ACTION_TIMEOUT_MS: scenario.turnSeconds * 1000,
    WS_CONNECTS_PER_MINUTE: 10_000,
  });
  const account = await platform.register('kit');
  const witness = new Witness(account.name);
  const line = await Line.open(t, platform.port, scenario.chance);
  line.onServerText = (text) => witness.overhear(text);
  const company = await seatCompany(t, platform, scenario, witness);
  const program = new Program(t, scenario, platform.url, line.port, account);
  const count = new Map<string, number>();
  const returns: number[] = [];
  await eventually(`the bot plays: ${program.tail()}`, () => witness.hands >= 2 || program.isOver);
  for (const step of stepsOf(scenario)) {
    scenario.onStep?.(step);
    await harm(step, line, company, platform, scenario);
    count.set(step, (count.get(step) ?? 0) + 1);
    const [from, actions] = [performance.now(), witness.actions];
    await eventually(`the bot acts after ${step}`, () => witness.actions > actions || program.isOver);
    returns.push(performance.now() - from);
    const hands = witness.hands;
    await eventually(`a hand after ${step}`, () => witness.hands > hands || program.isOver);
    if (program.isOver) break;
  }
  witness.isOver = true;
  const summary = await program.end();
  return {
    harm: Object.fromEntries(count),
    hands: witness.hands,
    decisions: program.count('decision'),
    connections: line.made,
    verified: program.count('verified'),
    returns,
    summary,
    faults: [...witness.faults, ...program.faults()],
  };
}

function stepsOf({ cuts, kills, deadLines, chance }: Scenario): Step[] {
  const all: Step[] = [...STEPS, ...(deadLines ? (['dead line'] as const) : [])];
  const steps: Step[] = Array.from({ length: cuts }, (_, i) => all[i % all.length]!);
  for (let i = steps.length - 1; i > 0; i--) {
    const other = chance(i + 1);
    [steps[i], steps[other]] = [steps[other]!, steps[i]!];
  }
  for (let i = 1; i <= kills; i++) steps.splice(Math.floor((i * steps.length) / (kills + 1)), 0, 'kill');
  return steps;
}

async function harm(
  step: Step,
  line: Line,
  others: readonly Line[],
  platform: ForkedPlatform,
  { chance, deadLines }: Scenario,
) {
  const during = async (weather: Line['weather'], ms: number) => {
    line.weather = weather;
    await sleep(ms);
    line.weather = 'fair';
  };
  switch (step) {
    case 'cut':
      return line.cut();
    case 'cut before a word':
      return line.cutAtNextWord('before');
    case 'cut after a word':
      return line.cutAtNextWord('after');
    case 'stall':
      return during('stalled', 200 + chance(deadLines ? 9000 : 1500));
    case 'slow':
      return during('slow', 2000);
    case 'split':
      return during('split', 1000);
    case 'refused':
      line.weather = 'closed';
      line.cut();
      return during('closed', 500 + chance(2000));
    case 'dead line':
      return line.forgetConnections();
    case 'kill':
      await platform.kill();
      await platform.launch();
      for (const each of [line, ...others]) each.target = platform.port;
      return;
  }
}

/** Two players over the ordinary protocol, on good lines: the bot never lacks company, and what it does is seen. */
async function seatCompany(
  t: Scope,
  platform: ForkedPlatform,
  { chance }: Scenario,
  witness: Witness,
): Promise<Line[]> {
  const lines: Line[] = [];
  for (const name of ['left', 'right']) {
    const { key } = await platform.register(name);
    const line = await Line.open(t, platform.port, chance);
    const player = new KitPlayer({
      wsUrl: `ws://127.0.0.1:${line.port}/ws`,
      apiKey: key,
      pace: () => 20,
      on: witness.listeners,
      decide: (hand) => (hand.canCheck ? hand.check() : hand.canCall && chance(3) > 0 ? hand.call() : hand.fold()),
    });
    player.start();
    t.teardown(() => player.stop());
    lines.push(line);
  }
  return lines;
}
