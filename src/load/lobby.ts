export interface LobbyLinks {
  send: (text: string) => void;
  /** An error that is no part of play, by its code. */
  trouble: (code: string) => void;
  /** The server says where the bot sits. */
  seated: (table: string, seat: number) => void;
}

/** The most and the least that a seat may bring (protocol.md, "Buy-in"): the most, so that it lasts. */
const BUY_IN = { most: 5000, least: 1000 };
/** How long to wait where the server said "not now". */
const RETRY_MS = 2000;
/** The server counts messages in any one second. */
const RATE_MS = 1000;

interface Message {
  type: string;
  code?: string;
  table_id?: string;
  seat?: number;
  rebuy_at?: string;
}

/** One thing to do later: a newer one replaces it. */
class Later {
  #timer: NodeJS.Timeout | null = null;

  /** Does the work after so many ms; at once when that is 0 or less. */
  after(ms: number, work: () => void): void {
    this.cancel();
    if (ms <= 0) return work();
    this.#timer = setTimeout(work, ms);
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/** The way of a bot to a seat, and to new chips when it has lost all. It wants a seat from the first `join` on. */
export class LoadLobby {
  readonly #retry = new Later();
  #wanted = false;
  #buyIn = BUY_IN.most;

  constructor(private readonly links: LobbyLinks) {}

  join(): void {
    this.#wanted = true;
    this.links.send(`{"type":"join_lobby","buy_in":${this.#buyIn}}`);
  }

  /** A socket is open. A seated bot is told so: `already_seated`. */
  greeted(): void {
    if (this.#wanted) this.join();
  }

  arrived(): void {
    this.#retry.cancel();
    this.#buyIn = BUY_IN.most;
  }

  /** The socket is gone; the next one begins with `greeted`. */
  lost(): void {
    this.#retry.cancel();
  }

  stop(): void {
    this.#wanted = false;
    this.#retry.cancel();
  }

  /** A message without an envelope. */
  hear(text: string): void {
    const { type, ...message } = JSON.parse(text) as Message;
    if (type === 'error') this.#error(message.code ?? '', message);
    else if (type === 'busted' || type === 'rebuy_confirmed') this.#later(0);
    else if (type === 'season_ended') this.#later(RATE_MS);
  }

  #error(code: string, { table_id: table, seat, rebuy_at: rebuyAt }: Omit<Message, 'type'>): void {
    switch (code) {
      case 'already_seated':
        if (table !== undefined && seat !== undefined) this.links.seated(table, seat);
        return;
      case 'already_in_lobby':
      case 'leave_pending':
        return;
      case 'insufficient_season_chips':
        if (this.#buyIn === BUY_IN.least) return this.links.send('{"type":"rebuy","amount":0}');
        this.#buyIn = BUY_IN.least;
        return this.#later(0);
      case 'rebuy_cooldown':
        return this.#retry.after(Date.parse(rebuyAt ?? '') - Date.now(), () => this.links.send('{"type":"rebuy","amount":0}')); // prettier-ignore
      case 'rate_limited':
        this.links.trouble(code);
        return this.#later(RATE_MS);
      case 'lobby_full':
      case 'no_active_season':
      case 'season_error':
      case 'season_buy_in_failed':
      case 'invalid_rebuy':
        this.links.trouble(code);
        return this.#later(RETRY_MS);
      default:
        return this.links.trouble(code);
    }
  }

  #later(ms: number): void {
    if (this.#wanted) this.#retry.after(ms, () => this.join());
  }
}
