import { parentPort } from 'node:worker_threads';
import { BIG_BLIND, SMALL_BLIND } from '../memory/memory-table.js';
import { mindMaker, type MindMaker, type SelfplayEntrant } from './minds.js';
import { BotEnded, LineBot, type LineCounts, type LineLimits } from './stdio/bot.js';
import { LINES_VERSION } from './stdio/lines.js';
import { startLineProgram } from './stdio/program.js';
import { playerAt, playStretch, type MatchStretch, type MatchTally } from './stretch.js';

export interface SelfplayTask {
  /** By player. */
  entrants: readonly SelfplayEntrant[];
  stretch: MatchStretch;
  /** Tables of a thread that play at once. */
  tables: number;
  /** Where commands run. */
  folder: string;
  limits: LineLimits;
}

export interface SelfplayTaskResult {
  tallies: MatchTally[];
  /** By player, since the thread's last result; null where it is no command. */
  lines: (LineCounts | null)[];
  /** How a command's end has ended the match; null while all run. */
  ended: string | null;
}

/** Modules are loaded once a thread. */
const makers = new Map<string, Promise<MindMaker>>();
/** Commands are started once a thread and player. A thread plays one match. */
const bots = new Map<number, Promise<LineBot>>();
/** Tables that play now in this thread, by number. */
const playing = new Set<number>();

/** One stretch of a match. A thread plays several at once where bots answer later. */
export async function selfplayTask(task: SelfplayTask): Promise<SelfplayTaskResult> {
  let table = 0;
  while (playing.has(table)) table++;
  playing.add(table);
  try {
    const loaded = await Promise.all(task.entrants.map((_, player) => makerOf(task, player, table)));
    return await resultOf(await playStretch(task.stretch, loaded), null);
  } catch (error) {
    if (!(error instanceof BotEnded)) throw error;
    return await resultOf([], error.message);
  } finally {
    playing.delete(table);
    if (playing.size === 0) for (const bot of await runningBots()) bot?.tellResults();
  }

  async function resultOf(tallies: MatchTally[], ended: string | null): Promise<SelfplayTaskResult> {
    const running = await runningBots();
    return { tallies, lines: task.entrants.map((_, player) => running[player]?.takeCounts() ?? null), ended };
  }
}

/** By player. A bot that never began to play is none. */
async function runningBots(): Promise<(LineBot | undefined)[]> {
  const running: (LineBot | undefined)[] = [];
  for (const [player, bot] of bots) {
    running[player] = await bot.catch((error: unknown) => {
      if (error instanceof BotEnded) return undefined;
      throw error;
    });
  }
  return running;
}

async function makerOf(task: SelfplayTask, player: number, table: number): Promise<MindMaker> {
  const { entrants } = task;
  const { source, isCommand } = entrants[player]!;
  if (isCommand) {
    const started = bots.get(player) ?? startBot(task, player);
    bots.set(player, started);
    const bot = await started;
    const names = entrants.map((_, own) =>
      entrants.map((_, seat) => entrants[playerAt(seat, own - player, entrants.length)]!.name),
    );
    return () => bot.mind(table, (own) => names[own]!);
  }
  const known = makers.get(source) ?? mindMaker(source);
  makers.set(source, known);
  return known;
}

async function startBot({ entrants, stretch, tables, folder, limits }: SelfplayTask, player: number): Promise<LineBot> {
  const { name, source } = entrants[player]!;
  const bot = source === '-' ? callerBot(name, limits) : programBot(name, source, folder, limits);
  await bot.greet({
    version: LINES_VERSION,
    seed: stretch.seed,
    you: name,
    bots: entrants.map((entrant) => entrant.name),
    stack: stretch.stack,
    blinds: [SMALL_BLIND, BIG_BLIND],
    tables,
  });
  return bot;
}

function programBot(name: string, command: string, folder: string, limits: LineLimits): LineBot {
  const { bot, group } = startLineProgram(name, command, folder, limits);
  // A thread that is ended says nothing more: the main thread looks after its commands.
  parentPort?.postMessage(group);
  return bot;
}

/** The program that started this one is the bot: the lines are this process's own. */
function callerBot(name: string, limits: LineLimits): LineBot {
  const bot = new LineBot(name, process.stdin, process.stdout, limits);
  process.stdin.on('end', () => bot.end('closed its lines'));
  return bot;
}
