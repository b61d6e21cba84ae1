import { ApiError, KitError, textOf } from './errors.js';
import type { Log } from './log.js';
import { baseUrlOf, newNameOf, type BotOptions } from './options.js';
import { environment, readKeyFile, writeKeyFile } from './platform.js';
import { pauseFor } from './pause.js';
import { RestClient } from './rest.js';

/** How often a bot that is to register later waits for that, and the longest that it may be told to wait in seconds. */
const [REFUSALS, PATIENCE_SECONDS] = [5, 60];

/** The bot's identity: its key, from the options, the environment or a file, or by registering. */
export async function keyOf(options: BotOptions, log: Log): Promise<string> {
  const { apiKey, keyFile } = options;
  const kept = keyFile === undefined ? null : readKeyFile(keyFile);
  return apiKey ?? environment('API_KEY') ?? kept ?? (await register(options, log));
}

async function register(options: BotOptions, log: Log): Promise<string> {
  const name = newNameOf(options);
  const email = options.email ?? `${name}@example.com`.toLowerCase();
  const rest = new RestClient({ url: baseUrlOf(options) });
  const { signal } = options;
  let key: string | null = null;
  for (let refused = 0; key === null; refused++) {
    try {
      ({ api_key: key } = await rest.registerAgent({ name, email, terms_accepted: true }, { signal }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, detail, retryAfter } = error;
      if (status !== 429 || retryAfter === null || retryAfter > PATIENCE_SECONDS || refused === REFUSALS) {
        const hint = status === 409 ? '; give apiKey or keyFile if the agent is yours' : '';
        throw new KitError(`cannot register ${name}: ${status} ${textOf(detail)}${hint}`, { cause: error });
      }
      // Several bots that begin at once, or others behind the same address.
      log.add('warn', 'register', `too many register from this address: ${name} tries again in ${retryAfter} s`);
      await pauseFor(retryAfter * 1000, signal);
    }
  }
  log.hide('key', key);
  log.add('info', 'registered', `registered as ${name}`, { name });
  if (options.keyFile !== undefined) writeKeyFile(options.keyFile, key);
  return key;
}

/** The clock of turns in seconds: as told, or of the competition that is played; null where nothing tells it. */
export async function turnSecondsOf(options: BotOptions, key: string | null, log: Log): Promise<number | null> {
  const { timeoutSeconds, competitionId, signal } = options;
  if (timeoutSeconds !== undefined) return timeoutSeconds;
  if (competitionId === undefined || key === null) return null;
  const rest = new RestClient({ url: baseUrlOf(options), apiKey: key });
  try {
    const { action_timeout_ms: ms } = await rest.getCompetition({ competition_id: competitionId }, { signal });
    return ms === null ? null : ms / 1000;
  } catch (error) {
    if (!(error instanceof KitError)) throw error;
    // Whether the bot may play there the socket says.
    log.add('warn', 'competition', `the competition's record cannot be read: ${error.message}`);
    return null;
  }
}
