import type { ErrorMessage } from './generated/messages.js';
import type { Port } from './port.js';
import { Rebuys, type RebuyPolicy } from './rebuys.js';

/** In ms: the wait after "not now", the window of the server's limits, and the wait for a verified address. */
export const NOT_NOW_MS = 2000;
const [RATE_MS, UNVERIFIED_MS] = [1000, 60_000];

/** Errors after which the same may be said again, and when. */
const PAUSES: Readonly<Partial<Record<ErrorMessage['code'], number>>> = {
  rate_limited: RATE_MS,
  email_not_verified: UNVERIFIED_MS,
  no_active_season: NOT_NOW_MS,
  season_error: NOT_NOW_MS,
  season_buy_in_failed: NOT_NOW_MS,
  lobby_full: NOT_NOW_MS,
  not_registered_for_season: NOT_NOW_MS,
};

export interface LobbySettings {
  buyIn: number | null;
  /** Of the bot; null: it tells none. */
  version?: string | null;
  rebuy: RebuyPolicy;
  inCompetition: boolean;
  /** ms before it asks for another seat after it lost one. */
  rejoinMs: number;
}

/** A player without a seat joins the lobby, buys new chips, and waits after "not now". */
export class Lobby {
  readonly rebuys: Rebuys;
  /** `asked`: a join has no answer yet. A second one would be refused, or count as too many. */
  #state: 'outside' | 'asked' | 'waiting' = 'outside';

  constructor(
    private readonly port: Port,
    private readonly settings: LobbySettings,
  ) {
    this.rebuys = new Rebuys(port, settings.rebuy);
  }

  /** Asks for a seat, unless that is under way. */
  join(): void {
    const { buyIn, version = null } = this.settings;
    if (this.#state !== 'outside') return;
    const isSent = this.port.send({
      type: 'join_lobby',
      ...(buyIn === null ? {} : { buy_in: buyIn }),
      ...(version === null ? {} : { version }),
    });
    if (isSent) this.#state = 'asked';
  }

  /** The seat is gone: asks for another one, after the pause if there is one. */
  joinAgain(): void {
    const { rejoinMs } = this.settings;
    if (rejoinMs > 0) this.port.later('again', rejoinMs);
    else this.join();
  }

  /** Says what is wanted, or says it again: chips, else a seat. */
  seek(): void {
    if (this.rebuys.underWay) this.rebuys.request();
    else this.join();
  }

  /** The server has put us in line. */
  waits(): void {
    this.#state = 'waiting';
  }

  /** A question about a seat is answered or lost: a player that wants a seat asks again. */
  left(): void {
    this.#state = 'outside';
  }

  /** All begins anew. A player in line asks again. A late answer is of the next season. */
  seasonEnded(): void {
    this.rebuys.forget();
    if (this.#state === 'waiting') this.left();
  }

  /** An error that says nothing of a seat. Why the player is at its end, or null. */
  refused(message: ErrorMessage, isSeated: boolean): 'competition_ended' | 'busted' | null {
    const { code } = message;
    const text = `error ${code}: ${message.message}`;
    if (code === 'no_active_season' && this.settings.inCompetition) return 'competition_ended';
    if (code === 'already_in_lobby') {
      this.waits();
      this.port.log('debug', 'error', text);
    } else if (code === 'leave_pending') {
      // Its wish is under way: it was sent twice after a resync, or the server gave the seat up first.
      this.port.log('debug', 'error', text);
    } else if (code === 'rebuy_cooldown') {
      const { rebuy_at: rebuyAt, cooldown_seconds: seconds } = message;
      this.port.log('info', 'rebuy', `the next rebuy is at ${rebuyAt}`, { rebuyAt });
      this.port.later('again', Math.max(RATE_MS, seconds * 1000));
    } else return this.#scolded(code, text, isSeated);
    return null;
  }

  /** Errors that a sound bot rarely gets. */
  #scolded(code: ErrorMessage['code'], text: string, isSeated: boolean): 'busted' | null {
    this.port.warn(code === 'rate_limited' ? 'rate_limited' : 'error', text, { code });
    const pause = PAUSES[code];
    if (code === 'flood_warning') this.port.slowDown();
    else if (code === 'invalid_rebuy' && !isSeated && this.rebuys.underWay) return 'busted';
    else if (pause !== undefined) {
      // After rate_limited as well: the dropped message may have been the join.
      this.left();
      if (code === 'not_registered_for_season') this.rebuys.forget();
      this.port.later('again', pause);
    }
    // auth_failed and scope_connection_already_active: the close says what is to be done.
    return null;
  }
}
