import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from '../arena/program.js';

/** The bot's environment. */
export interface BotEnvironment {
  BASE_URL: string;
  WS_URL: string;
  NAME: string;
  /** Absent where it has to register. */
  API_KEY?: string;
}

/** Something that a kit says its bot should not do (docs/guides/kits.md, "Hooks and log"). */
export interface KitWarning {
  kind: string;
  text: string;
}

/** A bot under examination, while it runs. */
export interface RunningBot {
  /** How it ended: an exit code or a signal; null while it runs. */
  readonly over: string | null;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** Its last words. */
  output(): string;
  /** The warnings of its kit, in order; none for a bot without a kit. Complete once it has ended. */
  warnings(): readonly KitWarning[];
  /** Asks it to end, and ends it; resolves when nothing of it is left. */
  stop(): Promise<void>;
}

export type StartBot = (environment: BotEnvironment) => RunningBot;

/** Settings that the arena and people leave in the environment, and that would make the bot another one. */
const NOT_PASSED = ['API_KEY', 'BASE_URL', 'WS_URL', 'NAME'];

/** Somebody's bot program, run by the shell in `cwd`. */
export function programBot(command: string, cwd: string): StartBot {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_PASSED.includes(name)));
  return (environment) => {
    const path = join(tmpdir(), `agent-poker-warnings-${randomBytes(8).toString('hex')}`);
    const given = { PYTHONUNBUFFERED: '1', AGENT_POKER_WARNINGS: path, ...environment };
    const program = new Program(command, { ...inherited, ...given }, cwd);
    let over: string | null = null;
    let warnings: readonly KitWarning[] = [];
    const ended = program.ended.then((how) => {
      over = String(how);
      warnings = takeWarnings(path);
    });
    return {
      get over() {
        return over;
      },
      ended,
      output: () => program.tail.prefixed('bot'),
      warnings: () => warnings,
      stop: async () => {
        await program.stop();
        await ended;
      },
    };
  };
}

/** The file's lines of JSON; it is gone then. A line that the program's end cut off is left out. */
function takeWarnings(path: string): KitWarning[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8');
  rmSync(path);
  return lines.split('\n').flatMap((line) => {
    try {
      const { kind, text } = JSON.parse(line) as Partial<KitWarning>;
      return typeof kind === 'string' && typeof text === 'string' ? [{ kind, text }] : [];
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof TypeError) return [];
      throw error;
    }
  });
}
