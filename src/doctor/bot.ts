import { Program } from '../arena/program.js';

/** What a bot is told by its environment. */
export interface BotEnvironment {
  BASE_URL: string;
  WS_URL: string;
  NAME: string;
  /** Absent where it has to register. */
  API_KEY?: string;
}

/** A bot under examination, while it runs. */
export interface RunningBot {
  /** How it ended: an exit code or a signal; null while it runs. */
  readonly over: string | null;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** What it wrote last. */
  output(): string;
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
    const program = new Program(command, { ...inherited, PYTHONUNBUFFERED: '1', ...environment }, cwd);
    let over: string | null = null;
    const ended = program.ended.then((how) => {
      over = String(how);
    });
    return {
      get over() {
        return over;
      },
      ended,
      output: () => program.tail.prefixed('bot'),
      stop: () => program.stop(),
    };
  };
}
