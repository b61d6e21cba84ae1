import { parentPort } from 'node:worker_threads';
import { createStrategy, loadBotModule, type SlowStrategy } from '../bots/index.js';
import { BIG_BLIND, SMALL_BLIND } from '../memory/memory-table.js';
import { isStyle, type SelfplayEntrant } from '../selfplay/minds.js';
import { BotEnded, type LineBot, type LineCounts, type LineLimits } from '../selfplay/stdio/bot.js';
import { LINES_VERSION } from '../selfplay/stdio/lines.js';
import { startLineProgram } from '../selfplay/stdio/program.js';
import { playerAt } from '../selfplay/stretch.js';
import { playDeal, type DealResult, type DealSettings } from './deal.js';
import { seedFrom } from './dice.js';
import { TestTable, type PlayerMind } from './table.js';

export interface CompareTask {
  /** The old bot, the new bot, then the field. */
  bots: readonly SelfplayEntrant[];
  first: number;
  deals: number;
  settings: DealSettings & { isApart: boolean };
  /** Pairs of tables of a thread that play at once. */
  tables: number;
  folder: string;
  limits: LineLimits;
}

export interface CompareTaskResult {
  deals: DealResult[];
  /** By bot, since the thread's last result; null where it is no command. */
  lines: (LineCounts | null)[];
  /** How a command's end has ended the comparison; null while all run. */
  ended: string | null;
}

/** Numbers that keep the dice of decisions apart from other dice. */
const [DECISION, HAND] = [11, 12];

/** Makes the mind of a bot for one hand. */
type HandMind = (deal: number, rotation: number, player: number, side: 0 | 1, names: TableNames) => PlayerMind;
/** Names by seat, as the owner of a seat sees them. */
type TableNames = (own: number) => readonly string[];

const lineBots = new Map<number, Promise<LineBot>>();
const modules = new Map<string, ReturnType<typeof loadBotModule>>();
/** Pairs of tables that play now in this thread, by number. */
const playing = new Set<number>();

/** Some deals of a comparison. A thread plays one comparison. */
export async function compareTask(task: CompareTask): Promise<CompareTaskResult> {
  let pair = 0;
  while (playing.has(pair)) pair++;
  playing.add(pair);
  try {
    const deals = await dealsOf(task, pair);
    return { deals, lines: await takeLines(task), ended: null };
  } catch (error) {
    if (!(error instanceof BotEnded)) throw error;
    return { deals: [], lines: [], ended: error.message };
  } finally {
    playing.delete(pair);
  }
}

async function dealsOf(task: CompareTask, pair: number): Promise<DealResult[]> {
  const { bots, settings, first } = task;
  const minds = await Promise.all(
    [0, 1].map((side) =>
      Promise.all(bots.flatMap((_, bot) => (bot === 1 - side ? [] : [handMind(task, bot, 2 * pair + side)]))),
    ),
  );
  const players = bots.length - 1;
  const names = playerNames(players);
  const tables = [new TestTable(names), new TestTable(names)] as const;
  const deals: DealResult[] = [];
  const sideMinds = (side: 0 | 1, deal: number, rotation: number) =>
    minds[side]!.map((mind, player) => {
      const seen: TableNames = (own) => names.map((_, seat) => names[playerAt(seat, own - player + players, players)]!);
      return mind(deal, rotation, player, side, seen);
    });
  for (let deal = first; deal < first + task.deals; deal++) {
    deals.push(await playDeal(deal, settings, players, sideMinds, tables));
  }
  return deals;
}

/** Both sides' players have the same names: no bot knows which of the two is tested. */
const playerNames = (players: number) => Array.from({ length: players }, (_, player) => `player_${player + 1}`);

async function handMind(task: CompareTask, bot: number, table: number): Promise<HandMind> {
  const { source, isCommand } = task.bots[bot]!;
  const { seed, isApart } = task.settings;
  const own = (player: number, side: 0 | 1) => (isApart && player === 0 ? side : 0);
  if (isCommand) {
    const started = lineBots.get(bot) ?? startBot(task, bot);
    lineBots.set(bot, started);
    const lines = await started;
    return (_deal, _rotation, _player, _side, names) => ({ kind: 'by-hand', mind: lines.mind(table, names) });
  }
  if (isStyle(source)) {
    return (deal, rotation, player, side) => ({
      kind: 'by-decision',
      decide: (street, turn, redeal) =>
        createStrategy(
          source,
          seedFrom(seed, DECISION, deal, rotation, player, street, turn, redeal, own(player, side)),
        ),
    });
  }
  // Each side has a module of its own: what it keeps of a hand is never seen by the other side.
  const copy = table % 2;
  const key = `${copy} ${source}`;
  const loading = modules.get(key) ?? loadBotModule(source, copy);
  modules.set(key, loading);
  const create = await loading;
  return (deal, rotation, player, side) => {
    const mind: SlowStrategy = create(seedFrom(seed, HAND, deal, rotation, player, own(player, side)) % 2 ** 31);
    return { kind: 'by-hand', mind };
  };
}

async function startBot({ bots, settings, tables, folder, limits }: CompareTask, bot: number): Promise<LineBot> {
  const { name, source } = bots[bot]!;
  const { bot: lines, group } = startLineProgram(name, source, folder, limits);
  // A thread that is ended says nothing more: the main thread looks after its commands.
  parentPort?.postMessage(group);
  const names = playerNames(bots.length - 1);
  await lines.greet({
    version: LINES_VERSION,
    seed: settings.seed,
    you: names[Math.max(0, bot - 1)]!,
    bots: names,
    stack: settings.stack,
    blinds: [SMALL_BLIND, BIG_BLIND],
    tables: 2 * tables,
  });
  return lines;
}

async function takeLines({ bots }: CompareTask): Promise<(LineCounts | null)[]> {
  return Promise.all(bots.map(async (_, bot) => (await lineBots.get(bot))?.takeCounts() ?? null));
}
