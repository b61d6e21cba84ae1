import { setTimeout as sleep } from 'node:timers/promises';
import { timeOfUuid7 } from '../../../src/table/uuid.js';
import { Dice } from '../../sim/dice.js';
import type { Scope } from '../../support/database.js';
import { eventually } from '../../support/limits.js';
import { Crowd, LOAD } from '../crowd.js';
import type { Guest } from '../guest.js';
import { restless } from '../guest.js';
import { Truth } from '../truth.js';
import { AckTimes } from './acks.js';
import { PlayAgain } from './again.js';
import { FAULTS, type Fault } from './faults.js';
import { Overlaps } from './overlaps.js';
import { Owners } from './owners.js';
import { KeptSeats } from './kept-seats.js';
import { NodesWorld } from './world.js';

/** One fault, and what was found and measured around it. */
export interface Incident {
  what: string;
  group: Fault['group'];
  /** How long it lasted, and from its begin until every table with company had played a hand; ms. */
  lastedMs: number;
  playMs: number;
  /** Of a kill: how soon each table of the killed node that goes on had a hand again; ms. */
  againMs: readonly number[];
  /** Hands that it cut off. */
  voided: number;
  /** Nodes that others took for dead since the incident before: of those that were killed, or stood still for too long. */
  ended: number;
  /** Shards of nodes that live, given up since they were silent: on a busy machine a thread may starve for so long. */
  starved: number;
}

export interface NodesOptions {
  /** One after the other. */
  faults: readonly Fault[];
  seed: number;
  nodes?: number;
  guests?: number;
  /** Of what is frozen or cut; ms. */
  longestMs: number;
  /** Of the hands that are played before each fault: a hand of three young nodes takes a tenth of a second of processor time. */
  mostHands?: number;
  /** So long guests think at most before they act, where they do not act at once: what they play while others are awaited costs, too. */
  thinksMs?: number;
  /** Another main program than the product's. */
  main?: string;
  onIncident?: (incident: Incident, n: number) => void;
}

/** Of the hands before a fault. */
const MOST_HANDS = 100;
/** So often the stored hands are all replayed by the rules; the last check does it again. */
const RECORDS_EVERY = 10;
const RETRY_MS = 100;
/** Why a shard is given up that said nothing for too long. */
const SILENT = /^silent for/;
/** …and why none may be, whatever happens: what nodes say to each other about it is not the same on both sides. */
const DISCORD = /is missing|never said|too little|too much/;
/** Tables wait no longer for who was cut off in the middle of a hand. */
const ACTION_TIMEOUT_MS = 8000;
/** Clients, nodes and all that they talk to share a machine: without a breath nodes starve, and lose their leases by that. */
const BETWEEN_HANDS_MS = 100;

/** So many faults of a group, each kind in its turn. */
export function faultsOf(group: Fault['group'], count: number): Fault[] {
  const kinds = FAULTS.filter((fault) => fault.group === group);
  return Array.from({ length: count }, (_, n) => kinds[n % kinds.length]!);
}

/**
 * A crowd plays on a cluster of nodes to which one thing after the other happens; its sockets come back by themselves,
 * as those of real bots do. After each, all that anybody was sent is held against the database, and every seat is there
 * again (RELIABILITY.md). Stops at the first finding.
 */
export async function troubleNodes(t: Scope, options: NodesOptions): Promise<NodesCampaign> {
  const env = { ...LOAD, ACTION_TIMEOUT_MS, BETWEEN_HANDS_MS, LOG_LEVEL: 'info' };
  const world = await NodesWorld.open(t, options.nodes ?? 3, env, options.main);
  const crowd = new Crowd(world.entrance, options.seed, restless(options.thinksMs));
  const owners = await Owners.install(world.entrance.sql!);
  const campaign = new NodesCampaign(world, crowd, owners, options);
  await crowd.gather(options.guests ?? 16);
  await campaign.run();
  return campaign;
}

export class NodesCampaign {
  readonly findings: string[] = [];
  readonly incidents: Incident[] = [];
  readonly truth: Truth;
  readonly acks: AckTimes;
  readonly #seats: KeptSeats;
  readonly #again = new PlayAgain();
  readonly #overlaps = new Overlaps();
  readonly #dice: Dice;
  #over = false;
  /** By the end of the incident before. */
  #ended = 0;
  /** When the incident before began, epoch ms. */
  #beganAt = 0;

  constructor(
    private readonly world: NodesWorld,
    readonly crowd: Crowd,
    readonly owners: Owners,
    private readonly options: NodesOptions,
  ) {
    this.truth = new Truth(crowd, world.entrance.sql!);
    this.acks = new AckTimes(world, crowd);
    this.#seats = new KeptSeats(crowd, world.entrance.sql!);
    crowd.onFrame = (_guest, frame) => {
      this.#again.note(frame);
      this.#overlaps.note(frame);
    };
    this.#dice = new Dice(options.seed);
  }

  async run(): Promise<void> {
    const returning = this.crowd.guests.map((guest) => this.#comeBack(guest));
    try {
      await this.#meetAll();
    } finally {
      // However it ends: guests that came back for ever would keep the process alive.
      this.#over = true;
      for (const { platform } of this.world.nodes) await platform.kill();
      await Promise.all(returning);
    }
    if (this.findings.length === 0) this.#find('after all', await this.owners.unknown());
  }

  async #meetAll(): Promise<void> {
    for (const fault of this.options.faults) {
      const most = this.options.mostHands ?? MOST_HANDS;
      await this.crowd.moreHands(this.#dice.int(most / 5, most));
      this.world.mark();
      // One may have ended for want of time.
      await this.world.whole();
      await this.#meet(fault);
      if (this.findings.length > 0) return this.#find('what the nodes said meanwhile', [`\n${this.world.describe()}`]);
    }
    await this.crowd.moreHands(50);
    this.#find('after the last of them', [...(await this.truth.checkAll()), ...(await this.#twins())]);
  }

  /** Whenever its socket is closed it tries to come in again, until the campaign is over. */
  async #comeBack(guest: Guest): Promise<void> {
    while (!this.#over) {
      this.acks.closed(await guest.gone());
      if (this.#over) return;
      // Refused, cut off while it was let in, or nobody there: a bot that is worth its name tries again.
      await guest.connect().catch(() => sleep(RETRY_MS));
    }
  }

  async #meet(fault: Fault): Promise<void> {
    const { what, group, costs } = fault;
    const seats = await this.#seats.taken();
    const quiet = await this.acks.begin(group);
    const pids = this.world.nodes.map(({ pid }) => pid);
    const began = performance.now();
    const beganAt = Date.now();
    const incident: Incident = { what, group, lastedMs: 0, playMs: 0, againMs: [], voided: 0, ended: 0, starved: 0 };
    this.incidents.push(incident);
    this.#again.begin();
    await fault.happen(this.world, this.#dice, this.options.longestMs);
    incident.lastedMs = performance.now() - began;
    const killed = new Set(pids.filter((_, n) => !this.world.nodes[n]!.lives));
    // Who was killed is not needed for that.
    if (group === 'kill') {
      await this.#playOn(what);
      incident.playMs = performance.now() - began;
      incident.againMs = this.#again.since(began, quiet.pidOf, killed);
    }
    await this.world.whole().catch((error: unknown) => this.#find(what, [(error as Error).message]));
    if (this.findings.length > 0) return;
    await this.#playOn(what);
    incident.playMs ||= performance.now() - began;
    this.acks.end(quiet, group === 'kill' ? killed : null, began + incident.playMs);
    this.#find(what, this.crowd.refusals());
    this.#find(what, await this.truth.check({ records: this.incidents.length % RECORDS_EVERY === 0 }));
    this.#find(what, await this.#twins());
    this.#find(what, await this.#seats.lost(seats));
    const ended = await this.world.endedByOthers();
    incident.ended = ended - this.#ended;
    this.#ended = ended;
    const lost = this.world.whyLost();
    incident.starved = lost.filter((why) => SILENT.test(why)).length;
    this.#find(
      what,
      lost.filter((why) => DISCORD.test(why)).map((why) => `a shard was lost: ${why}`),
    );
    const losses = Math.max(1, incident.ended + incident.starved);
    for (const [table, hands] of await this.truth.cutOff()) {
      incident.voided += hands.length;
      this.#find(what, this.#cutOffAtOnce(table, hands, losses));
    }
    this.#beganAt = beganAt;
    const free = costs === 'time' && incident.ended + incident.starved === 0;
    if (free && incident.voided > 0) this.#find(what, [`${incident.voided} hands were cut off`]);
    this.options.onIncident?.(incident, this.incidents.length);
  }

  /**
   * One hand of a table at most for each loss of a node or a shard, since it plays one at a time. What an incident before
   * this one cut off may be found only now, where nobody played at that table meanwhile.
   */
  #cutOffAtOnce(table: string, hands: readonly string[], losses: number): string[] {
    const since = hands.filter((hand) => timeOfUuid7(hand) >= this.#beganAt);
    if (since.length <= losses) return [];
    const seen = since.map((hand) => {
      const guests = this.crowd.guests.filter(({ tableOf }) => tableOf.has(hand));
      const diaries = guests.map(({ account, diary }) => `\n    ${account.name}\n    ${diary}`);
      return `\n  ${hand}, begun at ${new Date(timeOfUuid7(hand)).toISOString()}, as was read by${diaries.join('')}`;
    });
    return [`${since.length} hands of table ${table} were cut off at once${seen.join('')}`];
  }

  /** Tables that were two shards' at once, by what is stored and by what was read. */
  async #twins(): Promise<string[]> {
    return [...(await this.owners.check()), ...this.#overlaps.check()];
  }

  /** Everybody is connected, and every table with company has played a hand since. */
  async #playOn(when: string): Promise<void> {
    const { crowd } = this;
    const sent = new Set(crowd.sent.keys());
    // Who was sent nonsense may play no more: that is told by what is checked next.
    const wrong = () => crowd.platform.faults.length > 0;
    const company = async () => {
      const counts = new Map<string, number>();
      for (const table of (await this.#seats.tables()).values()) counts.set(table, 1 + (counts.get(table) ?? 0));
      return [...counts].flatMap(([table, count]) => (count >= 2 ? [table] : []));
    };
    await eventually(
      'everybody is connected',
      () => wrong() || crowd.guests.every(({ player }) => !player.isClosed),
    ).catch((error: unknown) => this.#find(when, [(error as Error).message]));
    const played = async () => {
      if (wrong()) return true;
      const tables = await company();
      const since = new Set([...crowd.sent].flatMap(([hand, table]) => (sent.has(hand) ? [] : [table])));
      return tables.length > 0 && tables.every((table) => since.has(table));
    };
    await eventually('a hand at each table', played, 50).catch((error: unknown) =>
      this.#find(when, [`${(error as Error).message}\n${crowd.describe()}`]),
    );
  }

  #find(when: string, findings: readonly string[]): void {
    const { seed } = this.options;
    const n = this.incidents.length;
    this.findings.push(...findings.map((what) => `incident ${n} (seed ${seed}), ${when}: ${what}`));
  }
}
