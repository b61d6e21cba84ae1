import { setTimeout as sleep } from 'node:timers/promises';
import { CloseCode } from '../../../src/protocol/codes.js';
import type { Guest } from '../guest.js';
import type { Player } from '../../support/player.js';

const RETRY_MS = 100;
/** A node answers an opening within this time, or another node is tried. */
const HANDSHAKE_MS = 4000;
const PING_MS = 1000;
/** A connection without an answer to so many pings is given up. */
const SILENT_PINGS = 4;

/** Ends of a socket after which a bot comes again. 1006: its node is gone. 4002: an opening that it gave up came late. */
const PASSING: ReadonlySet<number> = new Set([...[1006, CloseCode.draining, CloseCode.tooSlow, CloseCode.takenOver]]);

/** Guests that come back by themselves whenever their sockets end, at any node. */
export class Returning {
  /** How often each close code was read. */
  readonly codes = new Map<number, number>();
  readonly #findings: string[] = [];
  readonly #retired = new Set<Guest>();
  readonly #works: Promise<void>[] = [];
  #over = false;

  /** From now on. */
  add(guest: Guest): void {
    guest.handshakeMs = HANDSHAKE_MS;
    this.#works.push(this.#comeBack(guest));
  }

  /** These come back no more: their competition is over. */
  retire(guests: readonly Guest[]): void {
    for (const guest of guests) this.#retired.add(guest);
  }

  isRetired(guest: Guest): boolean {
    return this.#retired.has(guest);
  }

  /** Ends of sockets that no event explains, since the last call. */
  findings(): string[] {
    return this.#findings.splice(0);
  }

  /** Resolves once no guest opens a socket any more. Its nodes have gone. */
  async stop(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#works);
  }

  async #comeBack(guest: Guest): Promise<void> {
    while (!this.#over && !this.#retired.has(guest)) {
      const { player } = guest;
      if (!player.isClosed) keepAlive(player);
      const code = await guest.gone();
      if (this.#over || this.#retired.has(guest)) return;
      // Its own drop opens the next socket.
      if (player === guest.player) this.#note(guest, code);
      await guest.connect().catch(() => sleep(RETRY_MS));
    }
  }

  #note({ account, diary }: Guest, code: number): void {
    const times = this.codes.get(code) ?? 0;
    this.codes.set(code, times + 1);
    if (!PASSING.has(code)) this.#findings.push(`the socket of ${account.name} closed with ${code}\n    ${diary}`);
  }
}

/** A node that stands still sends no close. */
function keepAlive(player: Player): void {
  let silent = 0;
  const heard = () => void (silent = 0);
  player.ws.on('pong', heard).on('message', heard);
  const timer = setInterval(() => {
    if (player.isClosed) return clearInterval(timer);
    if (++silent > SILENT_PINGS) player.ws.terminate();
    else if (player.ws.readyState === player.ws.OPEN) player.ws.ping();
  }, PING_MS).unref();
}
