import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawSocket, type Ending, type RawListener } from '../fuzz/raw-socket.js';
import { encodeFrame, Opcode } from '../fuzz/wire.js';
import type { Account } from '../support/platform.js';
import type { Ground } from './case.js';

/** Opens a socket of an agent from the attacker's address, until the signal; counts how it ends before that. */
export function open(
  { target, met }: Ground,
  { key }: Pick<Account, 'key'>,
  signal: AbortSignal,
  listener: RawListener = {},
  path = '/ws',
): RawSocket {
  const socket = new RawSocket(target, { authorization: `Bearer ${key}` }, listener, path);
  const leave = () => socket.destroy();
  signal.addEventListener('abort', leave, { once: true });
  void socket.ended.then((ending) => {
    signal.removeEventListener('abort', leave);
    if (!signal.aborted) met.count(nameOf(ending));
  });
  return socket;
}

export const nameOf = (ending: Ending): string =>
  ending.how === 'close' ? `close ${ending.code}` : ending.how === 'refused' ? `refused ${ending.status}` : 'drop';

/** One agent pours these bytes into its socket without an end, and opens another one when it is closed. */
export async function floods(ground: Ground, signal: AbortSignal, bytes: Uint8Array): Promise<void> {
  const [account] = await ground.agents(1);
  while (!signal.aborted) {
    const socket = await enter(ground, account!, signal);
    while (!signal.aborted && !socket.over) await socket.pour(bytes);
    socket.destroy();
    await socket.ended;
  }
}

/** Resolves when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Resolves with the agent's socket once it was greeted, or has ended. */
export async function enter(
  ground: Ground,
  account: Account,
  signal: AbortSignal,
  listener: RawListener = {},
): Promise<RawSocket> {
  let greeted: () => void = () => undefined;
  const greeting = new Promise<void>((resolve) => (greeted = resolve));
  const text = (said: string) => {
    greeted();
    listener.text?.(said);
  };
  const socket = open(ground, account, signal, { ...listener, text });
  await Promise.race([greeting, socket.ended]);
  return socket;
}

/** So many agents each say this so often a second; error codes that they read are counted. */
export async function chatters(
  ground: Ground,
  signal: AbortSignal,
  { agents, perSecond, say }: { agents: number; perSecond: number; say: (n: number) => object | string },
): Promise<void> {
  const accounts = await ground.agents(ground.many(agents));
  const chatter = async (account: Account) => {
    let socket: RawSocket | null = null;
    for (let n = 0; !signal.aborted; n++) {
      if (socket === null || socket.over) socket = await enter(ground, account, signal, { text: readerOf(ground) });
      const said = say(n);
      const payload = Buffer.from(typeof said === 'string' ? said : JSON.stringify(said));
      socket.send(encodeFrame({ opcode: Opcode.text, payload }));
      await sleep(1000 / perSecond, undefined, { signal }).catch(() => undefined);
    }
    await socket?.ended;
  };
  await Promise.all(accounts.map(chatter));
}

/** Counts what an attacker reads: errors by their code, all else by its type. */
const readerOf =
  ({ met }: Ground) =>
  (text: string): void => {
    const { type, code } = JSON.parse(text) as { type: string; code?: string };
    met.count(code === undefined ? type : `${type} ${code}`);
  };
