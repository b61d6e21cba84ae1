import type { Act } from '../../holdem/types.js';
import type { TableRules } from '../api.js';
import { packEvent, unpackEvent } from './event-codec.js';
import type { ActionLine, DealtPlayer, PublicEvent } from '../events.js';
import type { DrawnMix } from '../mix.js';
import type { Stamp } from '../numbering.js';
import { Packer, Unpacker } from './packer.js';

/** A hand and what happened after it until the next, or a stretch without a hand. */
interface Chapter {
  handId: string | null;
  /** Numbers and times of the records count from these. */
  baseSeq: number;
  baseMicros: number;
  lastSeq: number;
  players: DealtPlayer[];
  records: Packer;
  /** No fewer than the bytes of its events as they are sent. */
  frameBytes: number;
  /** For each action with a client_action_id: a hash of seat and id, and the start of its record. */
  actionHashes: number[];
  actionPlaces: number[];
}

/** An accepted action, as a retry of it is recognised. */
export interface AcceptedAction {
  act: Act;
  freeFold: boolean;
  requested: number | null;
  turnToken: string;
  mix: DrawnMix | null;
}

/** `players`: those dealt into the event's hand. */
export type ReplayVisitor = (stamp: Stamp, event: PublicEvent, players: readonly DealtPlayer[]) => void;

/** A stretch without hands is cut here, so that players coming and going for days drop out of the window too. */
const IDLE_CHAPTER_BYTES = 8 * 1024;

/**
 * The last hands of a table as compact records, given out again as events when somebody resyncs. Also the memory of
 * accepted actions: a client_action_id is known for as long as its hand is in the window.
 */
export class ReplayWindow {
  readonly #maxHands: number;
  readonly #maxBytes: number;
  readonly #answerBytes: number;
  readonly #chapters: Chapter[] = [];
  #last: Chapter;
  #closedBytes = 0;
  #hands = 0;
  /** The highest number that may be gone. Above it the window is complete. */
  #gone: number;

  constructor(rules: Pick<TableRules, 'replayHands' | 'replayBytes' | 'resyncBytes'>, startsAfter: number) {
    this.#maxHands = rules.replayHands;
    this.#maxBytes = rules.replayBytes;
    this.#answerBytes = rules.resyncBytes;
    this.#gone = startsAfter;
    this.#last = newChapter({ handId: null, tableSeq: startsAfter, handSeq: 0, micros: 0 });
    this.#chapters.push(this.#last);
  }

  record(stamp: Stamp, event: PublicEvent): void {
    if (event.kind === 'hand_start') {
      this.#newChapter(stamp);
      this.#last.players = event.players;
      this.#hands++;
    } else if (stamp.handId === null && this.#last.records.pos > IDLE_CHAPTER_BYTES) {
      this.#newChapter(stamp);
    }
    const chapter = this.#last;
    if (event.kind === 'player_action' && event.clientId !== null) {
      chapter.actionHashes.push(hashOf(event.seat, event.clientId));
      chapter.actionPlaces.push(chapter.records.pos);
    }
    chapter.lastSeq = stamp.tableSeq;
    const { records } = chapter;
    records
      .uint(stamp.tableSeq - chapter.baseSeq)
      .uint(stamp.handSeq)
      .uint(stamp.micros - chapter.baseMicros);
    packEvent(records, event);
  }

  /** The event recorded last is sent in no more than so many bytes, to whomever. */
  measured(bytes: number): void {
    this.#last.frameBytes += bytes;
  }

  /**
   * The first number of a replay of all events after `lastSeq`. It is higher where the window or the limit of an answer
   * does not reach back that far. Null: there is nothing to replay. 0 asks for the whole window.
   */
  startAfter(lastSeq: number): number | null {
    const before = Math.max(lastSeq, this.#gone, this.#tooFarBack());
    return this.#last.lastSeq <= before ? null : before + 1;
  }

  /** The last number that is left out so that the rest fits an answer. A hand has its bound, so the latest chapter does. */
  #tooFarBack(): number {
    let bytes = 0;
    const first = this.#chapters.findLast((chapter) => (bytes += chapter.frameBytes) > this.#answerBytes);
    return first?.lastSeq ?? 0;
  }

  /** Hands every event after `lastSeq` to `visit`, in order. */
  forEachAfter(lastSeq: number, visit: ReplayVisitor): void {
    for (const chapter of this.#chapters) {
      if (chapter.lastSeq <= lastSeq) continue;
      const reader = new Unpacker(chapter.records.bytes);
      const actions: ActionLine[] = [];
      while (reader.pos < chapter.records.pos) {
        const stamp = readStamp(reader, chapter);
        const event = unpackEvent(reader, chapter.players, actions);
        if (event.kind === 'player_action') actions.push(event);
        if (stamp.tableSeq > lastSeq) visit(stamp, event, chapter.players);
      }
    }
  }

  /** Whether the agent was dealt into a hand that is still here: some events end for it otherwise than for spectators. */
  hasDealtTo(agentId: string): boolean {
    return this.#chapters.some(({ players }) => players.some((player) => player.agentId === agentId));
  }

  /** The last action of a hand that was accepted from this agent under this id, or null. */
  findAction(handId: string, agentId: string, clientId: string): AcceptedAction | null {
    // Nearly every action belongs to the hand in play.
    const isLast = this.#last.handId === handId;
    const chapter = isLast ? this.#last : this.#chapters.findLast((candidate) => candidate.handId === handId);
    const player = chapter?.players.find((candidate) => candidate.agentId === agentId);
    if (chapter === undefined || player === undefined) return null;
    const wanted = hashOf(player.seat, clientId);
    const { actionHashes, actionPlaces } = chapter;
    for (let i = actionHashes.length - 1; i >= 0; i--) {
      if (actionHashes[i] !== wanted) continue;
      const reader = new Unpacker(chapter.records.bytes, actionPlaces[i]!);
      readStamp(reader, chapter);
      const event = unpackEvent(reader, chapter.players, []);
      if (event.kind === 'player_action' && event.seat === player.seat && event.clientId === clientId) return event;
    }
    return null;
  }

  #newChapter(stamp: Stamp): void {
    const { records } = this.#last;
    records.trim();
    this.#closedBytes += records.pos;
    this.#last = newChapter(stamp);
    this.#chapters.push(this.#last);
    while (this.#hands > this.#maxHands || (this.#closedBytes > this.#maxBytes && this.#chapters.length > 1)) {
      const dropped = this.#chapters.shift()!;
      this.#closedBytes -= dropped.records.pos;
      this.#gone = dropped.lastSeq;
      if (dropped.handId !== null) this.#hands--;
    }
  }
}

function newChapter(stamp: Stamp): Chapter {
  return {
    handId: stamp.handId,
    baseSeq: stamp.tableSeq,
    baseMicros: stamp.micros,
    lastSeq: stamp.tableSeq,
    players: [],
    records: new Packer(),
    frameBytes: 0,
    actionHashes: [],
    actionPlaces: [],
  };
}

function readStamp(reader: Unpacker, chapter: Chapter): Stamp {
  const tableSeq = chapter.baseSeq + reader.uint();
  const handSeq = reader.uint();
  return {
    handId: handSeq === 0 ? null : chapter.handId,
    tableSeq,
    handSeq,
    micros: chapter.baseMicros + reader.uint(),
  };
}

/** FNV-1a, only to find the right record quickly; the record itself decides. */
function hashOf(seat: number, clientId: string): number {
  let hash = 0x811c9dc5 ^ seat;
  for (let i = 0; i < clientId.length; i++) hash = Math.imul(hash ^ clientId.charCodeAt(i), 0x01000193);
  return hash >> 1;
}
