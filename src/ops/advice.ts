import type { Config } from './settings.js';
import { existsSync, readFileSync } from 'node:fs';

/** Where each setting is fine, but not beside another: one line each, for the log of the start. */
export function contradictions(config: Config, cores: number): string[] {
  const { THREADS, SEASON_SECONDS, WIND_DOWN_SECONDS, ENDING_SOON_SECONDS } = config;
  const { WITHDRAW_MIN_CENTS, WITHDRAW_MAX_CENTS, WITHDRAW_DAILY_CENTS } = config;
  const production = config.NODE_ENV === 'production';
  const rules: readonly [contradicts: boolean, says: string][] = [
    [
      THREADS > cores,
      `THREADS=${THREADS}: ${THREADS} busy threads share ${cores} cores, with the main thread and PostgreSQL beside them`,
    ],
    [
      config.WS_MESSAGES_PER_SECOND < 5,
      `WS_MESSAGES_PER_SECOND=${config.WS_MESSAGES_PER_SECOND}: a bot that joins, rebuys and asks for a resync is refused`,
    ],
    [
      WIND_DOWN_SECONDS >= SEASON_SECONDS,
      `WIND_DOWN_SECONDS=${WIND_DOWN_SECONDS} with SEASON_SECONDS=${SEASON_SECONDS}: no hand is ever dealt`,
    ],
    [
      ENDING_SOON_SECONDS >= SEASON_SECONDS,
      `ENDING_SOON_SECONDS=${ENDING_SOON_SECONDS} with SEASON_SECONDS=${SEASON_SECONDS}: all are written to at its begin`,
    ],
    [
      config.REBUY_CHIPS < 1000,
      `REBUY_CHIPS=${config.REBUY_CHIPS}: a rebuy is below the minimum buy-in of 1000, so a bust agent cannot sit down with it`,
    ],
    [
      WITHDRAW_MIN_CENTS > WITHDRAW_MAX_CENTS || WITHDRAW_MIN_CENTS > WITHDRAW_DAILY_CENTS,
      `WITHDRAW_MIN_CENTS=${WITHDRAW_MIN_CENTS} is above WITHDRAW_MAX_CENTS or WITHDRAW_DAILY_CENTS: nothing can be withdrawn`,
    ],
    [
      production && config.TRUSTED_PROXY === 0 && /^(127\.|localhost$|::1$)/.test(config.HOST),
      `HOST=${config.HOST} with TRUSTED_PROXY=0: all clients behind a proxy here share the limits of one address`,
    ],
    [
      config.REGISTRATION === 'open' &&
        production &&
        config.BETA_GATE === 'off' &&
        config.REGISTRATIONS_PER_MINUTE > 60,
      `REGISTRATION=open with REGISTRATIONS_PER_MINUTE=${config.REGISTRATIONS_PER_MINUTE}: one address may register without end`,
    ],
  ];
  return rules.filter(([contradicts]) => contradicts).map(([, says]) => says);
}

/** µWebSockets.js reads so many bytes at once, and reads on from a connection that had them before anybody else's. */
const READ_BYTES = 512 * 1024;
/** Linux's setting: the least, default and most bytes that a connection may have unread. */
const TCP_RMEM = '/proc/sys/net/ipv4/tcp_rmem';

/** The bytes a connection may have unread, where one client can so hold the thread that reads it; null: it cannot. */
export function looseReceiveBound(file = TCP_RMEM): number | null {
  if (!existsSync(file)) return null;
  const most = Number(readFileSync(file, 'utf8').trim().split(/\s+/)[2]);
  return most >= READ_BYTES ? most : null;
}

/** A line for the log of the start in production, or null where there is nothing to say. */
export function receiveAdvice(
  { NODE_ENV, TRANSPORT }: Pick<Config, 'NODE_ENV' | 'TRANSPORT'>,
  bound = looseReceiveBound(),
): string | null {
  if (NODE_ENV !== 'production' || TRANSPORT === 'ws' || bound === null) return null;
  return `a connection may have ${bound} bytes unread (net.ipv4.tcp_rmem): one client that writes empty fragments can hold the thread that reads them; docs/explanation/reliability.md tells more under "A limit of the library"`;
}
