import { createRequire } from 'node:module';
import { candidates } from '../../src/gateway/listen.js';
import type { UwsModule, UwsResponse, UwsWebSocket } from '../../src/gateway/uws-types.js';
import type { Script } from './script.js';

/** As the platform holds back what a player need not answer (COALESCE_MS, COALESCE_TABLES). */
const HOLD_MS = 8;
const HOLD_TABLES = 8;
/** Sockets of players out of the hand wait longer, as on the platform. */
const HOLD_LONG_MS = 3 * HOLD_MS;
const URGENT = /"type":"(action_ack|your_turn)"/;
const FOLD = /"type":"player_action","seat":(\d),[^[{]*"action":"fold"/;
const SEAT = /"seat":(\d)/;
const HAND_ENDS = /"type":"hand_result"/;

interface UserData {
  player: Player | null;
}
type Ws = UwsWebSocket<UserData>;

interface Player {
  table: Table;
}

/** A table that plays the script: which sockets have the roles, and the step to come. */
interface Table {
  sockets: Place[];
  step: number;
}

interface Place {
  ws: Ws;
  /** Frames that wait for others. */
  held: Uint8Array[];
}

/** Steps as bytes, ready to be sent: by role. */
type Group = readonly Part[];
interface Part {
  frames: readonly Uint8Array[];
  urgent: boolean;
  /** For somebody who has folded, while others play on. */
  out: boolean;
}

/** The steps with what the platform knows of each part. The first step begins a hand. */
function partsOf({ joined, steps }: Script): Group[][] {
  const seats = joined.map((text) => Number(SEAT.exec(text)![1]));
  const out = new Set<number>();
  return steps.map((step) =>
    step.map((group) => {
      const texts = group.flat();
      if (texts.some((text) => HAND_ENDS.test(text))) out.clear();
      const parts = group.map((role, i) => ({
        frames: role.map((text) => Buffer.from(text)),
        urgent: role.some((text) => URGENT.test(text)),
        out: out.has(seats[i]!),
      }));
      for (const text of texts) {
        const seat = FOLD.exec(text)?.[1];
        if (seat !== undefined) out.add(Number(seat));
      }
      return parts;
    }),
  );
}

/**
 * Sends a platform's recorded frames to the sockets of its tables, action by action. It makes one corked write per
 * socket and group and holds frames back, as the platform does. It does nothing else, so its cost is the cost of
 * sockets. It reads no message; any from a socket at a full table counts as the action that was due.
 */
export class Ceiling {
  readonly #uws = loadUws();
  readonly #steps: readonly (readonly Group[])[];
  #open: Table = { sockets: [], step: 0 };
  #tables = 0;
  /** Tables with the group that is due next; a send inside a message handler would cost twice. */
  #due: { table: Table; groups: readonly Group[]; next: number }[] = [];
  /** For whom frames are held, and for whom long. */
  readonly #holding: Place[] = [];
  readonly #holdingLong: Place[] = [];

  constructor(private readonly script: Script) {
    this.#steps = partsOf(script);
  }

  /** Resolves to the port. */
  listen(): Promise<number> {
    const uws = this.#uws;
    const app = uws.App();
    app.any('/api/register', register);
    app.ws<UserData>('/ws', {
      maxPayloadLength: 16 * 1024,
      idleTimeout: 960,
      sendPingsAutomatically: true,
      maxBackpressure: 16 * 1024 * 1024,
      closeOnBackpressureLimit: false,
      compression: uws.DISABLED,
      upgrade: (response, request, context) =>
        response.upgrade(
          { player: null },
          request.getHeader('sec-websocket-key'),
          request.getHeader('sec-websocket-protocol'),
          request.getHeader('sec-websocket-extensions'),
          context,
        ),
      open: (ws) => void ws.send('{"type":"connected"}', false),
      message: (ws) => this.#message(ws),
      // Nobody comes or goes while it is measured.
      close: () => undefined,
    });
    return new Promise((resolve, reject) => {
      app.listen('127.0.0.1', 0, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
        if (socket === false) reject(new Error('cannot listen'));
        else resolve(uws.us_socket_local_port(socket));
      });
    });
  }

  #message(ws: Ws): void {
    const { player } = ws.getUserData();
    if (player === null) this.#seat(ws);
    else this.#advance(player.table);
  }

  /** Fills one table after the other; a full one begins, each at another hand, so that tables do not march in step. */
  #seat(ws: Ws): void {
    const table = this.#open;
    ws.getUserData().player = { table };
    ws.send(this.script.joined[table.sockets.push({ ws, held: [] }) - 1]!, false);
    if (table.sockets.length < this.script.joined.length) return;
    this.#open = { sockets: [], step: this.#handStart(++this.#tables) };
    this.#advance(table);
  }

  /** The first step of the nth hand of the script. */
  #handStart(n: number): number {
    const starts = this.#steps.flatMap((groups, step) => (groups.length > 1 ? [step] : []));
    return starts[n % starts.length]!;
  }

  #advance(table: Table): void {
    const groups = this.#steps[table.step]!;
    table.step = (table.step + 1) % this.#steps.length;
    if (this.#due.length === 0) setImmediate(this.#flush);
    this.#due.push({ table, groups, next: 0 });
  }

  readonly #flush = (): void => {
    const due = this.#due;
    this.#due = [];
    for (const turn of due) {
      this.#send(turn.table.sockets, turn.groups[turn.next++]!);
      if (turn.next < turn.groups.length) this.#due.push(turn);
    }
    if (this.#due.length > 0) setImmediate(this.#flush);
  };

  #send(sockets: readonly Place[], group: Group): void {
    for (let role = 0; role < sockets.length; role++) {
      const { frames, urgent, out } = group[role]!;
      if (frames.length === 0) continue;
      const place = sockets[role]!;
      if (!urgent && this.#tables >= HOLD_TABLES) this.#hold(place, frames, out);
      else sendAll(place.ws, [...place.held.splice(0), ...frames]);
    }
  }

  #hold(place: Place, frames: readonly Uint8Array[], out: boolean): void {
    const holding = out ? this.#holdingLong : this.#holding;
    if (holding.length === 0) setTimeout(() => sweep(holding), out ? HOLD_LONG_MS : HOLD_MS);
    holding.push(place);
    place.held.push(...frames);
  }
}

function sweep(holding: Place[]): void {
  for (const { ws, held } of holding.splice(0)) if (held.length > 0) sendAll(ws, held.splice(0));
}

function sendAll(ws: Ws, frames: readonly Uint8Array[]): void {
  ws.cork(() => {
    for (const frame of frames) ws.send(frame, false);
  });
}

let accounts = 0;
function register(response: UwsResponse): void {
  response.onAborted(() => undefined);
  const account = { agent_id: `agent-${++accounts}`, api_key: `key-${accounts}` };
  response.onData((_chunk, isLast) => {
    if (isLast) response.cork(() => response.writeStatus('201 Created').end(JSON.stringify(account)));
  });
}

function loadUws(): UwsModule {
  const require = createRequire(import.meta.url);
  for (const name of candidates()) {
    try {
      return require(name) as UwsModule;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Error('the ceiling needs µWebSockets.js');
}
