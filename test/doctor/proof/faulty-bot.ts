import { randomUUID } from 'node:crypto';
import type { BotEnvironment, StartBot } from '../../../src/doctor/bot.js';
import type { Frame } from '../../../src/doctor/wire/transcript.js';
import { wordOf } from '../../../src/doctor/wire/words.js';
import { chooseFaulty, type ProofTurn } from './choose.js';
import type { ProofConnection } from './connection.js';
import { kindOf, type Defect, type Kind } from './defects.js';
import { FaultyProgram } from './faulty-program.js';
import { comesBack, fears } from './fears.js';
import { LeanMemory } from './lean-memory.js';
import { openConnection } from './open-connection.js';

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS, LATER_MS] = [100, 1500, 1100];
const [THINKS_MS, ACK_MS, HANDSHAKE_MS] = [2000, 250, 1000];
const AGAIN = ['lobby_full', 'no_active_season', 'season_error', 'season_buy_in_failed', 'not_at_table'];

/** A bot in this process: sound, but for the one defect. */
export const faultyBot =
  (defect: Defect | null, kind = kindOf(defect)): StartBot =>
  (environment) =>
    new FaultyBot(defect, environment, kind);

class FaultyBot extends FaultyProgram {
  #connection: ProofConnection | null = null;
  #key: string;
  #connections = 0;
  #pause = FIRST_PAUSE_MS;
  #table: string | null = null;
  #seat = -1;
  #lastSeq = 0;
  /** Tokens of turns that were answered on this connection. */
  #answered = new Set<string>();
  #turn: ProofTurn | null = null;
  #last: Record<string, unknown> = {};
  /** The last action. */
  #action: Record<string, unknown> = {};
  #unacknowledged = false;
  #rebuyComes = false;
  #actions = 0;
  #hands = 0;
  #board = 0;

  readonly #lean = new LeanMemory();

  constructor(
    defect: Defect | null,
    environment: BotEnvironment,
    private readonly kind: Kind,
  ) {
    super(defect, environment);
    this.#key = environment.API_KEY ?? '';
    if (this.#key === '') void this.#enroll();
    else this.#begin(this.#key);
  }

  protected override letGo(): void {
    this.#connection?.end();
  }

  // ---- connecting

  async #enroll(): Promise<void> {
    const key = await this.register();
    if (key !== null) this.#begin(key);
  }

  #begin(key: string): void {
    this.#key = key;
    void this.introduce(key);
    this.#connect();
  }

  #connect(): void {
    if (this.over !== null) return;
    const number = ++this.#connections;
    const { defect, kind } = this;
    const connection = openConnection({ defect, kind, key: this.#key }, this.environment, {
      opened: () => void (kind === 'early' && this.#early()),
      error: (message) => {
        this.lines.push(message);
        if (this.has('dies-when-refused') && number === 1) this.quit('1');
      },
      text: (text) => {
        const frame = this.parsed(text);
        if (frame !== null) this.#read(frame);
      },
      closed: (code) => this.#closed(code),
    });
    this.#connection = connection;
    if (this.has('impatient-handshake'))
      this.after(HANDSHAKE_MS, () => void (connection.connecting && this.#connect()));
  }

  #closed(code: number): void {
    this.lines.push(`closed with ${code}`);
    if (this.over !== null) return;
    if (!comesBack(this.defect, code, this.#connections)) return this.quit('0');
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE_MS);
    if (this.has('connects-without-pause')) this.#pause = 1;
    if (this.has('never-slows-down')) this.#pause = 200;
    if (this.has('hammers-after-4003')) this.#pause = 50;
    this.after(this.#pause, () => this.#connect());
  }

  #send(message: Record<string, unknown>): void {
    this.#last = message;
    this.#connection?.send(JSON.stringify(message));
  }

  // ---- reading

  #read(frame: Frame): void {
    const { table_id, table_seq } = frame as Record<string, unknown>;
    if (fears(this.defect, frame) || this.#lean.fears(this.defect, frame)) return this.quit('1');
    if (typeof table_seq === 'number' && table_id === this.#table) {
      if (this.has('distrusts-jumps') && this.#lastSeq > 0 && table_seq > this.#lastSeq + 500_000) return;
      if (this.has('resyncs-over-gaps') && table_seq > this.#lastSeq + 1000 && this.#lastSeq > 0) this.#resync();
      this.#lastSeq = Math.max(this.#lastSeq, table_seq);
    }
    switch (wordOf(frame)) {
      case 'connected':
        return this.#connected();
      case 'table_joined':
        [this.#table, this.#seat, this.#lastSeq] = [String(table_id), Number(frame['seat']), 0];
        return;
      case 'your_turn':
        return this.#onTurn(frame as unknown as ProofTurn, this.has('answers-all-turns'));
      case 'resync_response':
        return this.#onResync(frame);
      case 'action_ack':
        this.#unacknowledged = false;
        return;
      case 'action_rejected':
        return this.#rejected(String(frame['code']));
      case 'table_state':
        return this.#onState(frame);
      case 'community_cards':
        this.#board += (frame['cards'] as unknown[]).length;
        if (this.has('adds-boards-up') && this.#board > 5) this.quit('1');
        return;
      case 'hand_result':
        return this.#onResult();
      case 'player_left':
        return this.#onLeft(frame);
      case 'busted':
        return this.#onBust();
      case 'table_closed':
        return this.#rejoinUnless('stays-when-closed', frame['reason'] === 'season_ended');
      case 'season_ended':
        return this.#rejoinUnless('stays-when-seasons-end', true);
      case 'auto_rebuy_scheduled':
        this.#rebuyComes = true;
        return;
      case 'rebuy_confirmed':
        this.#rebuyComes = false;
        return this.has('deaf-to-confirmations') ? undefined : this.#rejoin();
      case 'error':
        return this.#onError(frame);
      default:
        return;
    }
  }

  /** The socket is open: what is to be said needs no welcome. */
  #early(): void {
    this.#send({ type: 'set_auto_rebuy', enabled: true });
    if (this.#unacknowledged) this.#send(this.#action);
    if (this.#table !== null) this.#resync();
    else this.#join();
  }

  #connected(): void {
    this.#pause = FIRST_PAUSE_MS;
    if (this.kind === 'early') return;
    const again = this.#connections > 1;
    if (!this.has('remembers-answers')) this.#answered = new Set();
    this.#unacknowledged = false;
    if (this.has('never-joins') || (again && this.has('silent-after-return'))) return;
    if (again && this.has('repeats-with-new-id') && this.#last['type'] === 'action')
      return this.#send({ ...this.#last, client_action_id: randomUUID() });
    if (this.#table !== null && !this.has('no-resync')) this.#resync();
    else this.#join();
    if (this.has('asks-while-waiting')) this.#askOn();
  }

  #askOn(): void {
    this.after(200, () => {
      if (this.#table !== null) this.#resync();
      this.#askOn();
    });
  }

  #join(): void {
    this.#send({ type: 'join_lobby' });
    if (this.has('joins-every-second')) this.after(1000, () => void (this.#table === null && this.#join()));
  }

  #rejoin(): void {
    [this.#table, this.#seat, this.#lastSeq] = [null, -1, 0];
    this.#join();
  }

  #rejoinUnless(stays: Defect, seasonal: boolean): void {
    if (this.has(stays) || (seasonal && this.has('stays-when-seasons-end'))) return;
    this.#rejoin();
  }

  #resync(): void {
    this.#send({ type: 'resync_request', table_id: this.#table, last_table_seq: this.#lastSeq || null });
  }

  #onResync(frame: Frame): void {
    if (frame['role'] === 'spectator') {
      if (!this.has('believes-in-its-seat')) this.#rejoin();
      return;
    }
    const snapshot = frame['snapshot'] as Record<string, unknown> & { hero: Record<string, unknown> };
    this.#seat = Number(snapshot.hero['seat']);
    if (snapshot.hero['turn_token'] === undefined) return;
    this.#onTurn({ ...snapshot, ...snapshot.hero } as unknown as ProofTurn, this.has('answers-all-turns'));
  }

  #onState(frame: Frame): void {
    const { actor_seat, hand_id, waiting_reason } = frame as Record<string, unknown>;
    if (this.has('leaves-when-draining') && waiting_reason === 'table_closing') this.#send({ type: 'leave_table' });
    if (this.has('acts-out-of-turn') && actor_seat !== undefined && actor_seat !== this.#seat && hand_id !== null)
      this.#send({ type: 'action', action: 'fold', hand_id, turn_token: 'mine', client_action_id: randomUUID() });
  }

  #onResult(): void {
    this.#board = 0;
    if (++this.#hands === 10 && this.has('forgets-in-time')) this.quit('0');
    if (this.has('rebuys-at-the-table')) this.#send({ type: 'rebuy', amount: 0 });
  }

  #onLeft(frame: Frame): void {
    const own = frame['seat'] === this.#seat && frame['table_id'] === this.#table;
    if (!own && !this.has('takes-others-for-itself')) return;
    if (this.has('stays-when-removed')) return;
    if (this.has('rebuys-always') && frame['reason'] === 'busted') return;
    this.#rejoin();
  }

  #onBust(): void {
    if (this.has('rebuys-always')) this.#send({ type: 'rebuy', amount: 0 });
  }

  #onError(frame: Frame): void {
    const code = String(frame['code']);
    this.lines.push(`error ${code}`);
    if (code === 'already_seated') {
      this.#table = String(frame['table_id']);
      if (this.has('joins-though-seated')) this.after(10, () => this.#join());
      else if (!this.has('no-resync')) this.#resync();
    } else if (code === 'table_not_found') {
      if (!this.has('deaf-to-table-not-found')) this.#rejoin();
    } else if (code === 'rate_limited') {
      const again = this.#last;
      if (this.has('deaf-to-rate-limits')) return;
      this.after(this.has('hammers-limits') ? 1 : LATER_MS, () => this.#send(again));
    } else if (code === 'insufficient_season_chips') {
      if (this.has('no-rebuys')) this.quit('0');
      else if (!this.#rebuyComes) this.#send({ type: 'rebuy', amount: 0 });
    } else if (code === 'rebuy_cooldown') {
      const waitMs = Math.max(0, Date.parse(String(frame['rebuy_at'])) - Date.now());
      this.after(this.has('hammers-rebuys') ? 20 : waitMs + 20, () => this.#send({ type: 'rebuy', amount: 0 }));
    } else if (code === 'email_not_verified') {
      if (this.has('hammers-rebuys')) this.after(20, () => this.#send({ type: 'rebuy', amount: 0 }));
    } else if (AGAIN.includes(code) && !this.has('deaf-to-lobby') && !this.has('rebuys-always'))
      this.after(this.has('hammers-lobby') ? 20 : LATER_MS, () => this.#rejoin());
  }

  // ---- acting

  #onTurn(turn: ProofTurn, again: boolean): void {
    if (this.#answered.has(turn.turn_token) && !again) return;
    if (this.has('waits-for-acks') && this.#unacknowledged) return;
    this.#answered.add(turn.turn_token);
    this.#turn = turn;
    if (this.has('slow-thinker')) this.after(THINKS_MS, () => this.#act(chooseFaulty(turn, null, Math.random), turn));
    else this.#act(chooseFaulty(turn, this.defect, Math.random), turn);
  }

  #act(choice: object, { hand_id, turn_token }: ProofTurn, attempt = ''): void {
    this.#actions++;
    this.#unacknowledged = true;
    this.#action = { type: 'action', ...choice, hand_id, turn_token, ...this.#idOf(turn_token, attempt) };
    this.#send(this.#action);
    if (!this.has('impatient-for-acks')) return;
    const sent = this.#actions;
    this.after(ACK_MS, () => {
      if (this.#unacknowledged && this.#actions === sent) this.#send({ ...this.#last, client_action_id: randomUUID() });
    });
  }

  #idOf(token: string, attempt: string): object {
    if (this.has('no-ids')) return {};
    if (this.has('one-id')) return { client_action_id: 'my-action' };
    if (this.has('counted-ids')) return { client_action_id: `action-${this.#actions}` };
    return { client_action_id: this.has('answers-all-turns') ? randomUUID() : `${token}${attempt}` };
  }

  #rejected(code: string): void {
    this.lines.push(`action_rejected ${code}`);
    this.#unacknowledged = false;
    if (this.has('blind-retry')) return this.after(5, () => this.#send(this.#action));
    const turn = this.#turn;
    if (code !== 'invalid_action' || turn === null) return;
    if (this.has('gives-rejected-turns-up') || this.has('lean-gives-rejected-turns-up')) return;
    if (String(this.#last['client_action_id']).endsWith('-safe')) return;
    const free = turn.valid_actions.some(({ action }) => action === 'check');
    this.#act({ action: free ? 'check' : 'fold' }, turn, '-safe');
  }
}
