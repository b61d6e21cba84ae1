import { existsSync, readFileSync } from 'node:fs';
import type { Config } from './settings.js';

/** µWebSockets.js reads so many bytes at once, and reads on from a connection that had them before anybody else's. */
const READ_BYTES = 512 * 1024;
/** Of Linux: the least, default and most bytes that a connection may have unread. */
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
