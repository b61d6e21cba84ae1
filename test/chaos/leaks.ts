import type { ServerMessageOf } from '../../src/protocol/server.js';
import type { Database } from '../../src/store/database.js';
import { decodeRecord, type StoredHand } from '../../src/table/record/record-codec.js';
import { Dice } from '../sim/dice.js';
import type { Scope } from '../support/database.js';
import type { ForkedPlatform } from '../support/forked-platform.js';
import { Player } from '../support/player.js';
import { Secrecy, type ProofBody, type PublicHandBody } from '../support/secrecy.js';
import { Spectator } from '../support/spectator.js';
import { Crowd, LOAD } from './crowd.js';
import { RESTLESS } from './guest.js';
import { startPlatform } from './home.js';

export interface LeakOptions {
  hands: number;
  seed: number;
  /** Another main program than the product's. */
  main?: string;
  onProgress?: (hands: number) => void;
}

/** The counts of frames, and their faults. A good run has no leak, no fault and nothing pending. */
export interface LeakOutcome {
  leaks: string[];
  /** Frames and answers that do not fit their schemas. */
  faults: string[];
  /** Hands with shown cards that are not stored. */
  pending: string[];
  hands: number;
  cards: number;
  frames: number;
  /** REST answers: views of tables, and all others. */
  views: number;
  answers: number;
  resyncs: number;
  /** Frames of spectators, and requested hands. */
  watched: number;
  hands_asked: number;
  /** The checks of these hands: files, proofs for their players, pages. */
  files: number;
  proofs: number;
  pages: number;
  logBytes: number;
}

const GUESTS = 22;
const SPECTATORS = 6;
/** Hands that are judged at once. */
const BATCH = 100;
/** How many hands later a hand is judged. By then all viewers have read it, except by resyncs. */
const BEHIND = 50;

/**
 * Compares every card in every frame, resync, view, REST answer and log line of `hands` hands with the stored hands. No
 * reader sees a card that it may not know.
 */
export async function watchCards(t: Scope, { hands, seed, main, onProgress }: LeakOptions): Promise<LeakOutcome> {
  const platform = await startPlatform(t, { ...LOAD, LOG_LEVEL: 'trace' }, main);
  const reader = new Reader(platform, seed);
  await reader.gather();
  while (reader.hands < hands) {
    await reader.lookAround();
    await reader.judge();
    onProgress?.(reader.hands);
  }
  return reader.end();
}

class Reader {
  readonly #secrecy = new Secrecy();
  readonly #crowd: Crowd;
  readonly #spectators: Player[] = [];
  readonly #dice: Dice;
  readonly #leaks: string[] = [];
  readonly #counts = {
    frames: 0,
    views: 0,
    answers: 0,
    resyncs: 0,
    watched: 0,
    hands_asked: 0,
    files: 0,
    proofs: 0,
    pages: 0,
  };
  readonly #watching = new Map<string, Spectator>();
  #judged = 0;

  constructor(
    private readonly platform: ForkedPlatform,
    seed: number,
  ) {
    this.#crowd = new Crowd(platform, seed, RESTLESS);
    this.#dice = new Dice(seed);
  }

  /** Hands with sent results. */
  get hands(): number {
    return this.#crowd.sent.size;
  }

  get #sql(): Database {
    return this.platform.sql!;
  }

  async gather(): Promise<void> {
    this.#crowd.onFrame = ({ account }, frame, text) => {
      this.#counts.frames++;
      this.#secrecy.frame(account.agentId, frame, text);
    };
    await this.#crowd.gather(GUESTS);
    for (let n = 0; n < SPECTATORS; n++) {
      const prepare = (player: Player) => {
        player.keep = 20;
        player.onFrame = (frame, text) => {
          this.#counts.frames++;
          this.#secrecy.frame(null, frame, text);
        };
      };
      this.#spectators.push(await Player.open(this.platform, await this.platform.register('sam'), { prepare }));
    }
    await this.#crowd.moreHands(1);
  }

  /** Reads every table once in each role: as a visitor, a spectator, a player of it or of another. */
  async lookAround(): Promise<void> {
    const tables = (await this.#ask('/api/tables')) as { table_id: string }[];
    const guests = this.#crowd.guests;
    for (const { table_id } of tables) {
      const key = this.#dice.chance(0.5) ? this.#dice.pick(guests).account.key : null;
      const view = await this.#ask(`/api/tables/${table_id}`, key);
      if (view !== null) {
        this.#counts.views++;
        this.#secrecy.view(view as ServerMessageOf['table_state'], JSON.stringify(view));
      }
      await this.#watch(table_id);
      // A spectator may resync once a second, so they take turns.
      this.#resync(this.#spectators[this.#counts.resyncs % SPECTATORS]!, table_id);
      this.#resync(guests[this.#counts.resyncs % GUESTS]!.player, table_id);
    }
    await this.#askForHands();
    const { key } = this.#dice.pick(guests).account;
    for (const path of ['/api/me', '/api/me/active-game', '/api/season/me', '/api/season/leaderboard', '/health']) {
      const body = await this.#ask(path, key);
      if (body !== null) this.#secrecy.silent(path, JSON.stringify(body));
    }
  }

  /** Watches each table, at some of them with the key of one of its players. */
  async #watch(table: string): Promise<void> {
    const known = this.#watching.get(table);
    if (known !== undefined && known.ws.readyState === known.ws.OPEN) return;
    const guest = this.#dice.chance(0.5) ? this.#dice.pick(this.#crowd.guests) : null;
    const headers = guest === null ? {} : { authorization: `Bearer ${guest.account.key}` };
    const spectator = await Spectator.open(this.platform, table, headers);
    // The agent may sit elsewhere by now, but is the same.
    const viewer = guest?.account.agentId ?? null;
    const reader = `${viewer ?? 'nobody'} at ${table}`;
    spectator.onFrame = (frame, text) => {
      this.#counts.watched++;
      // After a hand, a watch shows only the cards that everybody saw.
      this.#secrecy.frame(frame.type === 'hole_cards' ? viewer : null, frame, text, reader);
    };
    spectator.keep = 20;
    this.#watching.set(table, spectator);
  }

  /** Requests finished hands as a stranger, a player or another agent, and the pages of agents. */
  async #askForHands(): Promise<void> {
    const sent = [...this.#crowd.sent.keys()].slice(-BEHIND);
    for (let n = 0; n < 5 && sent.length > 0; n++) {
      const handId = this.#dice.pick(sent);
      const played = await this.#playersOf(handId);
      const { account } = this.#dice.pick(this.#dice.chance(0.5) && played.length > 0 ? played : this.#crowd.guests);
      const key = this.#dice.chance(0.7) ? account.key : null;
      const hand = (await this.#ask(`/api/hands/${handId}`, key)) as PublicHandBody | null;
      if (hand === null) continue;
      this.#counts.hands_asked++;
      const viewer = key === null ? null : account.agentId;
      this.#secrecy.hand(viewer, hand, JSON.stringify(hand));
      await this.#askForMore(handId, viewer, key);
    }
    const { public_profile_slug: slug } = (await this.#ask(
      '/api/me',
      this.#dice.pick(this.#crowd.guests).account.key,
    )) as {
      public_profile_slug: string;
    };
    const page = await this.#ask(`/api/agents/${slug}`);
    if (page !== null) this.#secrecy.silent('a profile', JSON.stringify(page));
  }

  async #playersOf(handId: string) {
    const rows = await this.#sql<{ agent_id: string }[]>`select agent_id from hand_players where hand_id = ${handId}`;
    return this.#crowd.guests.filter(({ account }) => rows.some(({ agent_id }) => agent_id === account.agentId));
  }

  /** Requests the same hand as files, its proof, and the pages that show it. */
  async #askForMore(handId: string, viewer: string | null, key: string | null): Promise<void> {
    for (const format of ['phh', 'pokerstars']) {
      const file = (await this.#ask(`/api/hands/${handId}/file?format=${format}`, key)) as string | null;
      if (file === null) continue;
      this.#counts.files++;
      this.#secrecy.file(viewer, handId, format, file);
    }
    // An agent that was not dealt in gets a 404.
    const proof = key === null ? null : ((await this.#ask(`/api/hands/${handId}/proof`, key)) as ProofBody | null);
    if (proof !== null) {
      this.#counts.proofs++;
      this.#secrecy.proof(viewer!, proof, JSON.stringify(proof));
    }
    for (const page of [`/hands/${handId}`, `/embed/hands/${handId}`]) {
      const answer = await fetch(this.platform.url + page, { headers: this.#elsewhere() });
      if (answer.ok) this.#counts.pages++;
      this.#secrecy.silent(page, await answer.text());
    }
  }

  /** Judges hands that all viewers have read. */
  async judge(): Promise<void> {
    const sent = [...this.#crowd.sent.keys()];
    while (sent.length - this.#judged >= BATCH + BEHIND) {
      const records = await this.#records(sent.slice(this.#judged, this.#judged + BATCH));
      this.#leaks.push(...this.#secrecy.judge(records));
      this.#judged += BATCH;
    }
    for (const { results, tableOf } of this.#crowd.guests) {
      results.clear();
      tableOf.clear();
    }
  }

  /** Stops the platform, and judges all that is left. */
  async end(): Promise<LeakOutcome> {
    const { platform } = this;
    await platform.stop();
    await this.#crowd.closed();
    await Promise.all(this.#spectators.map(({ closed }) => closed));
    await Promise.all([...this.#watching.values()].map(({ closed }) => closed));
    const { pending } = this.#secrecy;
    for (let from = 0; from < pending.length; from += BATCH) {
      this.#leaks.push(...this.#secrecy.judge(await this.#records(pending.slice(from, from + BATCH))));
    }
    this.#secrecy.silent('the log', platform.output);
    this.#leaks.push(...this.#secrecy.judge([]));
    return {
      ...this.#counts,
      leaks: this.#leaks,
      faults: this.#crowd.faults(),
      pending: this.#secrecy.pending,
      hands: this.hands,
      cards: this.#secrecy.cards,
      logBytes: platform.output.length,
    };
  }

  /** The body of an answer, or null for a 404. Each request has another address, so that no limit applies. */
  async #ask(path: string, key: string | null = null): Promise<unknown> {
    const headers = this.#elsewhere();
    const { status, body } = await this.platform.api('GET', path, { headers, ...(key === null ? {} : { key }) });
    return status === 200 ? body : null;
  }

  #elsewhere(): Record<string, string> {
    const n = this.#counts.answers++;
    return { 'x-forwarded-for': `192.0.${(n >> 8) & 255}.${n & 255}` };
  }

  #resync(player: Player, table: string): void {
    this.#counts.resyncs++;
    if (player.ws.readyState !== player.ws.OPEN) return;
    const seen = player.account.seqs.get(table) ?? 0;
    const last = this.#dice.chance(0.5) ? null : Math.max(0, seen - this.#dice.int(0, 500));
    player.send({ type: 'resync_request', table_id: table, last_table_seq: last });
  }

  async #records(ids: string[]): Promise<StoredHand[]> {
    const rows = await this.#sql<{ record: Buffer }[]>`select record from hands where hand_id = any (${ids})`;
    return rows.map(({ record }) => decodeRecord(record));
  }
}
