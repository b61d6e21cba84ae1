import type { ActionMessage } from '../../src/protocol/client.js';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import { ensure } from './broken.js';
import type { Kernel } from './machine/kernel.js';

interface Question {
  what: string;
  at: number;
  /** Answered by a table, so that it may be lost with the shard. */
  table: boolean;
  answeredBy: (message: ServerMessage) => boolean;
}

interface SentAction {
  hand: string | null;
  /** The first message, and whether another was sent under the same id later. */
  payload: string;
  conflict: boolean;
  sent: number;
  answers: number;
  acknowledged: boolean;
}

/**
 * So soon after the warning of too many messages, or before a slow reader read it, any message may have been dropped
 * silently.
 */
const LIMIT_MS = 2000;
const SLOW_READER_MS = 10_000;

/** The open questions of one socket: everything is answered, and actions exactly once each. */
export class Questions {
  #open: Question[] = [];
  /** Answers that would have fitted other questions as well: an error that several kinds of them may get. */
  #unsure: { taken: Question; instead: readonly Question[] }[] = [];
  /** By client_action_id. */
  readonly #actions = new Map<string, SentAction>();
  /** Messages that were dropped for coming too fast, and when that was told: once a second, however many there were. */
  #dropped = 0;
  /** When what was dropped may have been asked. */
  #limited: { from: number; until: number }[] = [];
  /** When it read nothing last. */
  #dawdled = { from: 0, until: 0 };
  #handId: string | null = null;

  constructor(private readonly kernel: Kernel) {}

  /** The socket is gone. */
  forget(): void {
    this.#open = [];
    this.#unsure = [];
    this.#actions.clear();
    this.#dropped = 0;
    this.#limited = [];
    this.#dawdled = { from: 0, until: 0 };
    this.#handId = null;
  }

  /** Questions to a lost shard get no answer, and it forgot the actions that it took. */
  shardLost(): void {
    for (const { taken, instead } of this.#unsure) if (taken.table) this.#closeOne(instead);
    this.#unsure = this.#unsure.filter(({ taken }) => !taken.table);
    this.#open = this.#open.filter(({ table }) => !table);
    for (const action of this.#actions.values()) Object.assign(action, { sent: Infinity, acknowledged: false });
    this.#handId = null;
  }

  /** The oldest that was asked before this time and not answered; dropped messages need no answer. */
  overdue(before: number): string | null {
    const late = this.#open.filter((question) => question.at < before && !this.#spared(question));
    return late.length > this.#dropped ? late[0]!.what : null;
  }

  /** Whether it may have been among the dropped ones. */
  #spared({ at }: Question): boolean {
    return this.#limited.some(({ from, until }) => at < until && at > from);
  }

  /** It reads nothing for so long: what it reads then may have been sent at any time since. */
  dawdles(ms: number): void {
    const { now } = this.kernel;
    this.#dawdled = { from: now, until: now + ms };
  }

  read(message: ServerMessage): void {
    if (message.type === 'error' && message.code === 'rate_limited') {
      this.#dropped++;
      const { now } = this.kernel;
      const { from, until } = this.#dawdled;
      const unread = now < until + SLOW_READER_MS ? from - LIMIT_MS : now;
      this.#limited.push({ from: Math.min(unread, now - SLOW_READER_MS), until: now + LIMIT_MS });
    }
    if (message.type === 'hand_start') this.#handId = message.hand_id;
    if (message.type === 'hand_result' || message.type === 'table_closed') this.#handId = null;
    if (message.type === 'auto_rebuy_scheduled') this.#promised(Date.parse(message.rebuy_at));
    if (KEPT_OR_LAPSED.has(message.type)) this.#open = this.#open.filter(({ what }) => what !== SCHEDULED);
    const fits = this.#open.filter(({ answeredBy }) => answeredBy(message));
    // One of many that look alike: rather of one that must be answered than of one that may have been dropped.
    const answered = fits.find((question) => !this.#spared(question)) ?? fits[0];
    if (answered === undefined) this.#reconsider(message);
    else {
      this.#close(answered);
      const instead = fits.filter(({ what }) => what !== answered.what);
      if (instead.length > 0) this.#unsure.push({ taken: answered, instead });
    }
    if (message.type === 'action_ack') this.#answered(message.client_action_id, true);
    if (message.type === 'action_rejected') this.#answered(clientIdOf(message), false);
  }

  #close(question: Question): void {
    this.#open = this.#open.filter((other) => other !== question);
  }

  /** An answer that fits no open question answers one that seemed answered: that answer was another's. */
  #reconsider(message: ServerMessage): void {
    const at = this.#unsure.findIndex(({ taken }) => taken.answeredBy(message));
    if (at < 0) return;
    for (const { instead } of this.#unsure.splice(at, 1)) this.#closeOne(instead);
  }

  #closeOne(questions: readonly Question[]): void {
    const open = questions.find((question) => this.#open.includes(question));
    if (open !== undefined) this.#close(open);
  }

  /** A repeated action gets the acknowledgement again, at least as long as its hand lasts. */
  #answered(id: string | null, accepted: boolean): void {
    const action = id === null ? undefined : this.#actions.get(id);
    if (action === undefined) return;
    action.answers++;
    ensure(action.answers <= action.sent, () => `${action.answers} answers to action ${id}, sent ${action.sent} times`);
    const repeated = action.acknowledged && !action.conflict && action.hand === this.#handId;
    ensure(accepted || !repeated, () => `action ${id} was acknowledged, and is refused when repeated`);
    action.acknowledged ||= accepted;
  }

  action({ client_action_id: id, hand_id: hand, turn_token, action, amount }: ActionMessage): void {
    if (typeof id === 'string') {
      const payload = `${action} ${amount} ${turn_token}`;
      const fresh = { hand: hand ?? null, payload, conflict: false, sent: 0, answers: 0, acknowledged: false };
      const known = this.#actions.get(id) ?? fresh;
      known.conflict ||= known.payload !== payload;
      known.sent++;
      this.#actions.set(id, known);
    }
    this.#ask(`action ${id ?? ''}`, true, (message) => {
      if (message.type === 'action_ack') return message.client_action_id === (id ?? null);
      return message.type === 'action_rejected' && (clientIdOf(message) ?? id) === id;
    });
  }

  /** A scheduled rebuy comes when it is due, unless it is called off or its season ends. */
  #promised(at: number): void {
    // Once, however often it is announced. A rebuy_confirmed that answers a question keeps this promise as well.
    this.#open = this.#open.filter(({ what }) => what !== SCHEDULED);
    this.#open.push({ what: SCHEDULED, at, table: false, answeredBy: () => false });
  }

  join(): void {
    this.#ask('join_lobby', false, (message) => message.type === 'lobby_joined' || isError(message, JOIN_ERRORS));
  }

  rebuy(): void {
    this.#ask('rebuy', true, (message) => message.type === 'rebuy_confirmed' || isError(message, REBUY_ERRORS));
  }

  autoRebuy(): void {
    this.#ask('set_auto_rebuy', false, (message) => {
      return message.type === 'auto_rebuy_set' || isError(message, AUTO_REBUY_ERRORS);
    });
  }

  resync(): void {
    this.#ask('resync_request', true, (message) => {
      return message.type === 'resync_response' || isError(message, RESYNC_ERRORS);
    });
  }

  invalid(): void {
    this.#ask('an invalid frame', false, (message) => isError(message, INVALID_ERRORS));
  }

  #ask(what: string, table: boolean, answeredBy: Question['answeredBy']): void {
    this.#open.push({ what, at: this.kernel.now, table, answeredBy });
  }
}

const SCHEDULED = 'the rebuy scheduled';
const KEPT_OR_LAPSED: ReadonlySet<string> = new Set(['rebuy_confirmed', 'busted', 'season_ended']);
const JOIN_ERRORS = new Set([
  'already_in_lobby',
  'already_seated',
  'lobby_full',
  'insufficient_season_chips',
  'invalid_buy_in',
  'no_active_season',
  'season_error',
]);
const REBUY_ERRORS = new Set([
  'invalid_rebuy',
  'rebuy_during_hand',
  'rebuy_cooldown',
  'not_at_table',
  'email_not_verified',
  'no_active_season',
  'not_registered_for_season',
  'season_error',
]);
const AUTO_REBUY_ERRORS = new Set(['no_active_season', 'not_registered_for_season', 'season_error']);
const RESYNC_ERRORS = new Set(['table_not_found', 'rate_limited']);
const INVALID_ERRORS = new Set(['invalid_message', 'unknown_message']);

/** A rejection by a table names the action; one without a seat cannot. */
const clientIdOf = ({ details }: ServerMessageOf['action_rejected']) =>
  'client_action_id' in details && typeof details.client_action_id === 'string' ? details.client_action_id : null;

const isError = (message: ServerMessage, codes: ReadonlySet<string>) =>
  message.type === 'error' && codes.has(message.code);
