import { resolve } from 'node:path';
import { createStrategy, KitPlayer, STRATEGY_NAMES, type StrategyName } from '../bots/index.js';
import type { ServerMessageOf } from '../protocol/server.js';
import { BotLog } from './bot-log.js';
import type { PrivatePlatform } from './platform.js';
import { Program } from './program.js';
import { Tap } from './tap.js';
import { Stopwatch } from './timing.js';

/** As much of a hand's result as tells it from others, and what each seat has after it. */
export type HandEnd = Pick<ServerMessageOf['hand_result'], 'table_id' | 'hand_id' | 'table_seq' | 'final_stacks'>;

type OnHand = (end: HandEnd) => void;

/**
 * A built-in bot with more chips sits down anew. Rebuys bring ever more chips in, and between stacks of thousands of
 * blinds a few hands would decide everything.
 */
const DEEP = 6000;

/** An account of the private platform. */
interface Account {
  agentId: string;
  name: string;
  apiKey: string;
}

/** A built-in bot, in this process. */
export interface BuiltIn {
  kind: 'built-in';
  agentId: string;
  name: string;
  strategy: StrategyName;
  acknowledged: Stopwatch;
  player: KitPlayer;
}

/** Somebody's own program, which talks to the platform through a tap. */
export interface External {
  kind: 'program';
  agentId: string;
  name: string;
  program: Program;
  tap: Tap;
  log: BotLog;
  /** It went while the match was on. */
  ended: boolean;
}

export type ArenaEntrant = BuiltIn | External;

export async function enterBuiltIn(
  { url, wsUrl }: PrivatePlatform,
  n: number,
  seed: number | undefined,
  onHand: OnHand,
  onTrouble: (text: string) => void,
): Promise<BuiltIn> {
  const strategy = STRATEGY_NAMES[n % STRATEGY_NAMES.length]!;
  const round = Math.floor(n / STRATEGY_NAMES.length);
  const { agentId, name, apiKey } = await register(url, round === 0 ? strategy : `${strategy}_${round + 1}`);
  const acknowledged = new Stopwatch();
  let sentAt = 0;
  const acked = () => acknowledged.add(performance.now() - sentAt);
  const handOver = (end: HandEnd) => {
    onHand(end);
    const { place } = player;
    if (place !== null && (end.final_stacks[String(place.seat)] ?? 0) > DEEP) player.changeSeat();
  };
  const player: KitPlayer = new KitPlayer({
    wsUrl,
    apiKey,
    lean: true,
    decide: createStrategy(strategy, seed === undefined ? undefined : seed + n),
    on: {
      decision: () => (sentAt = performance.now()),
      // With lean frames, or the others if the platform speaks no lean.
      ack: acked,
      action_ack: acked,
      result: handOver,
      hand_result: handOver,
    },
    onEnded: (code) => onTrouble(`${name} was shut out with ${code}`),
    onFault: (text) => onTrouble(`${name}: ${text}`),
  });
  return { kind: 'built-in', agentId, name, strategy, acknowledged, player };
}

/** Registers and starts the nth program. `env` and `cwd` are the caller's. */
export async function enterProgram(
  { url, wsUrl }: PrivatePlatform,
  n: number,
  command: string,
  { env, cwd, logs }: { env: NodeJS.ProcessEnv; cwd: string; logs: string },
  onHand: OnHand,
): Promise<External> {
  const { agentId, name, apiKey } = await register(url, `bot_${n + 1}`);
  const log = BotLog.open(resolve(cwd, logs), name);
  const tap = await Tap.open(wsUrl, { hand: onHand, trouble: (text) => log.note(text) });
  const own = { BASE_URL: url, WS_URL: tap.wsUrl, API_KEY: apiKey, NAME: name };
  const program = new Program(command, { ...env, ...own }, cwd, log);
  return { kind: 'program', agentId, name, tap, program, log, ended: false };
}

/** The table it sits at, as far as its frames tell. */
export function tableOfEntrant(entrant: ArenaEntrant): string | null {
  return entrant.kind === 'built-in' ? (entrant.player.place?.tableId ?? null) : entrant.tap.table;
}

export async function dismiss(entrant: ArenaEntrant): Promise<void> {
  if (entrant.kind === 'built-in') return entrant.player.stop();
  await entrant.program.stop();
  await entrant.tap.close();
  await entrant.log.close();
}

async function register(url: string, name: string): Promise<Account> {
  const answer = await fetch(`${url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, email: `${name}@arena.example.com`, terms_accepted: true }),
  });
  if (answer.status !== 201) throw new Error(`registering ${name}: ${answer.status} ${await answer.text()}`);
  const { agent_id: agentId, api_key: apiKey } = (await answer.json()) as { agent_id: string; api_key: string };
  return { agentId, name, apiKey };
}
