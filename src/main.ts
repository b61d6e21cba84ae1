import { runToEnd } from './command/result.js';
import { collectSeldom } from './ops/collector.js';
import { ConfigError, describeSettings, loadConfig, type Config } from './ops/config.js';
import { createLogger } from './ops/log.js';
import { RecentLines } from './ops/recent-lines.js';
import type { Platform } from './platform/index.js';
import { keptByNpm, type Environment } from './command/kept.js';
import { settings } from './ops/settings.js';

/** Refuses what the command line of the server says, or said to npm: all it knows is --help. Throws ConfigError. */
function refuseArguments(args: readonly string[], env: Environment): void {
  const [kept] = keptByNpm(Object.keys(settings), env);
  if (kept !== undefined) throw asSetting(optionOf(kept.name), kept.name, kept.value ?? args[0] ?? '…');
  const [first, second] = args;
  if (first === undefined) return;
  const [option, attached] = first.split('=', 2);
  const name = option!.replace(/^-+/, '').replaceAll('-', '_').toUpperCase();
  if (name in settings) throw asSetting(option!, name, attached ?? (second?.startsWith('-') === false ? second : '…'));
  throw new ConfigError(`There is no option ${first}. All settings: npx agent-poker start --help`);
}

const optionOf = (name: string) => `--${name.toLowerCase().replaceAll('_', '-')}`;

const asSetting = (option: string, name: string, value: string) =>
  new ConfigError(`There is no option ${option}: settings come from the environment: ${name}=${value} npm start`);

/** After the drain, for all else that a stop does: run-one.md, "Stopping". */
const STOP_MS = 9000;
const ENDING = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;
const UNUSED: readonly NodeJS.Signals[] = ['SIGUSR2'];
const DEBUGGING = 'SIGUSR1';

/** A node of several says so often that it lives. */
const BEAT_MS = 1000;

/** A newcomer's first text. */
function banner(config: Config, { url, wsUrl, dataFolder }: Platform): string {
  const post = (path: string, body: string) => `curl -s ${url}${path} -H 'content-type: application/json' -d '${body}'`;
  const database = dataFolder === null ? 'DATABASE_URL' : `embedded PostgreSQL in ${dataFolder}`;
  return `
  Agent Poker is open (${config.NODE_ENV}; ${config.THREADS} shard thread${config.THREADS > 1 ? 's' : ''}; ${database})

    REST     ${url}/api
    bots     ${wsUrl}
    docs     ${url}/docs
    health   ${url}/health

  ${registering(config, post)}
  Play with the example bot:
    API_KEY=… BASE_URL=${url} node dist/examples/bot.js     (without API_KEY it registers by itself)

  Ctrl-C stops gracefully; npx agent-poker start --help lists all settings.
`;
}

/** The command that opens the way in, for those whom this server lets in. */
function registering({ REGISTRATION, BETA_GATE }: Config, post: (path: string, body: string) => string): string {
  if (REGISTRATION === 'session') {
    const command = post('/api/auth/request-link', '{"email":"me@example.com"}');
    return `Register a bot: who registers signs in first, by a link in a mail:\n    ${command}`;
  }
  const code = BETA_GATE === 'on' ? ',"invite_code":"…"' : '';
  const hint = BETA_GATE === 'on' ? ' (codes: npx agent-poker admin create-invite)' : '';
  const body = `{"name":"my_bot","email":"me@example.com","terms_accepted":true${code}}`;
  return `Register a bot${hint}:\n    ${post('/api/register', body)}`;
}

/** A message for the parent process, if there is one and it lives. Its end is the event `disconnect`. */
function tell(message: object): void {
  if (process.connected) process.send!(message);
}

async function main(): Promise<number | undefined> {
  if (process.argv.includes('--help')) {
    process.stdout.write(describeSettings());
    return 0;
  }
  refuseArguments(process.argv.slice(2), process.env);
  collectSeldom();
  const config = loadConfig();
  const recent = new RecentLines();
  const log = createLogger(config.LOG_LEVEL, recent);
  let running: Pick<Platform, 'stop' | 'abandon'> | null = null;
  let stopping: Promise<void> | null = null;

  const stop = (reason: string, exitCode: number) => {
    if (stopping) return;
    log.info({ reason }, 'stopping');
    const ready = running;
    setTimeout(() => {
      log.error({ reason }, 'the stop takes too long and is abandoned');
      ready?.abandon();
      process.exit(1);
    }, config.DRAIN_MS + STOP_MS).unref();
    stopping = Promise.resolve(ready?.stop()).then(
      () => {
        log.info({ reason }, 'stopped');
        process.exit(exitCode);
      },
      (error: unknown) => {
        log.error({ err: error }, 'the stop failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ENDING) process.on(signal, () => stop(signal, 0));
  // Node's own answers: to end at once, and to open a debugger.
  for (const signal of config.NODE_ENV === 'production' ? [...UNUSED, DEBUGGING] : UNUSED) {
    process.on(signal, () => log.info({ signal }, 'this signal is ignored'));
  }
  // A test, bench or arena that forked us died: nobody is left to stop us.
  const orphaned = () => stop('the parent process is gone', 0);
  process.on('disconnect', orphaned);
  // It may have died while this program was loaded.
  if (process.send !== undefined && !process.connected) orphaned();
  // A bug, not an input: what the process holds in memory is no longer to be trusted, what is committed is.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });

  // Loaded here, so that a wrong setting is told at once.
  const [{ startPlatform }, { outliveTypeQueries }] = await Promise.all([
    import('./platform/index.js'),
    import('./store/type-query.js'),
  ]);
  outliveTypeQueries();
  const fatal = (error: Error) => {
    log.fatal({ err: error }, 'the platform cannot go on');
    stop(error.message, 1);
  };
  const start = async (): Promise<Platform> => {
    if (config.NODES === 1) return startPlatform(config, log, fatal, recent);
    const { startNodes } = await import('./platform/many-nodes.js');
    return startNodes(config, log, fatal, (nodes) => (running = nodes));
  };
  const platform = await start();
  running = platform;
  if (config.PORT_SHARED === 'off') process.stdout.write(banner(config, platform));
  log.info({ url: platform.url, ws_url: platform.wsUrl }, 'listening');
  tell({ event: 'ready', url: platform.url, wsUrl: platform.wsUrl, port: platform.port });
  // A parent that started several nodes kills one that is silent.
  if (config.PORT_SHARED === 'on') setInterval(tell, BEAT_MS, { event: 'beat' }).unref();
  // The process serves until it is stopped.
  return undefined;
}

await runToEnd(main, (error) => {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof ConfigError ? message : `The start failed: ${message}`}\n`);
  return 1;
});
