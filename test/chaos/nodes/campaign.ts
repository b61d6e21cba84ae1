import { timeOfUuid7 } from '../../../src/table/uuid.js';
import { Dice } from '../../sim/dice.js';
import type { Scope } from '../../support/database.js';
import { eventually } from '../../support/limits.js';
import { Crowd, LOAD } from '../crowd.js';
import { restless } from '../guest.js';
import { Truth } from '../truth.js';
import type { NodesEvent } from './events.js';
import { Overlaps } from './overlaps.js';
import { Owners } from './owners.js';
import { PoolEnds } from './pool-ends.js';
import { Returning } from './returning.js';
import { Stays } from './stays.js';
import { inEndedPools, strangeHomes } from './stored.js';
import { NodesWorld, type Entrance } from './world.js';

/** One event, with its findings and figures. */
export interface Incident {
  what: string;
  group: NodesEvent['group'];
  /** How long it lasted, and from its begin until every table with company had played a hand; ms. */
  lastedMs: number;
  playMs: number;
  /** After a kill: the time until each table of the node had a hand again; ms. */
  againMs: readonly number[];
  /** Hands that it cut off. */
  voided: number;
  /** Nodes that other nodes declared dead meanwhile. */
  ended: number;
  /** Shards of living nodes that were given up as silent. A thread of a busy machine may starve so long. */
  starved: number;
  /** A season ended meanwhile. */
  season: boolean;
  /** A competition ended meanwhile. */
  cup: boolean;
}

export interface NodesOptions {
  /** One after the other. */
  events: Iterable<NodesEvent>;
  seed: number;
  nodes?: number;
  guests?: number;
  /** Guests of the competition, beside the others; 0: there is none. */
  cupGuests?: number;
  /** The longest freeze or cut; ms. */
  longestMs: number;
  /** Hands that are played before each event, at most. */
  mostHands?: number;
  /** The longest time before guests act, in ms. By default they act at once. */
  thinksMs?: number;
  /** The events between two ends of a season. A competition ends after four times as many. */
  seasonEvery?: number;
  /** Another main program than the product's. */
  main?: string;
  onIncident?: (incident: Incident, n: number) => void;
}

const MOST_HANDS = 60;
/** How many events pass between replays of all stored hands. The last check replays them again. */
const RECORDS_EVERY = 10;
/** Tables wait no longer for a player that was cut off in the middle of a hand. */
const ACTION_TIMEOUT_MS = 3000;
/** Clients, nodes and database share a machine. Without pauses nodes get no time, and lose their leases. */
const BETWEEN_HANDS_MS = 100;
/** No hand of these bots is longer. */
const DRAIN_MS = 30_000;
/** A shard that is given up, and why. */
const LOST = /"reason":"([^"]*)","msg":"shard lost/g;
const SILENT = /^silent for/;
/** The codes of an action that crosses the end of its season or competition: its hand is void, or its table closed. */
const CROSSES_AN_END = /"code":"(?:no_hand_in_progress|not_at_table)"/;
/** Log lines that no node may ever write. */
const WRONG = /a hand is void: |a broken table was closed|bust not settled|registry failed|uncaught exception/;

/**
 * A crowd plays on a cluster through one event after the other. Its bots come back by themselves, at any node. After
 * each event all sent frames are compared with the database, and every seat exists or is paid (reliability.md, "Several
 * nodes"). Stops at the first finding.
 */
export async function troubleNodes(t: Scope, options: NodesOptions): Promise<NodesCampaign> {
  const { seed, nodes = 3, guests = 18, cupGuests = 6, main } = options;
  const timing = { ACTION_TIMEOUT_MS, BETWEEN_HANDS_MS, DRAIN_MS, WIND_DOWN_SECONDS: 1, LOG_LEVEL: 'info' };
  const world = await NodesWorld.open(t, {
    nodes,
    spare: 1,
    seed,
    env: { ...LOAD, THREADS: 1, ...timing },
    ...(main !== undefined && { main }),
  });
  const owners = await Owners.install(world.entrance.sql!);
  const campaign = new NodesCampaign(world, owners, options);
  await campaign.run(guests, cupGuests);
  return campaign;
}

export class NodesCampaign {
  readonly findings: string[] = [];
  readonly incidents: Incident[] = [];
  readonly truth: Truth;
  readonly crowd: Crowd<Entrance>;
  readonly returning = new Returning();
  readonly #stays: Stays;
  readonly #pools: PoolEnds;
  readonly #overlaps = new Overlaps();
  readonly #dice: Dice;
  /** By table: when the first hand began since the present event did (performance.now). */
  readonly #begun = new Map<string, number>();
  /** The end of the earlier event, epoch ms. */
  #settledAt = 0;
  /** How much of each node's log was read for shards that were lost. */
  #read: number[] = [];

  constructor(
    private readonly world: NodesWorld,
    readonly owners: Owners,
    private readonly options: NodesOptions,
  ) {
    const { entrance } = world;
    this.#dice = new Dice(options.seed);
    this.crowd = new Crowd(entrance, options.seed, restless(options.thinksMs));
    this.truth = new Truth(this.crowd, entrance.sql!);
    this.#stays = new Stays(this.crowd, entrance.sql!);
    this.#pools = new PoolEnds(this.crowd, this.returning, this.#dice, options.seasonEvery);
    this.crowd.onFrame = (_guest, frame) => {
      this.#overlaps.note(frame);
      if (frame.type === 'hand_start' && !this.#begun.has(frame.table_id))
        this.#begun.set(frame.table_id, performance.now());
    };
  }

  async run(guests: number, cupGuests: number): Promise<void> {
    try {
      await this.crowd.gather(guests);
      for (const guest of this.crowd.guests) this.returning.add(guest);
      await this.#pools.openCup(cupGuests);
      await this.#meetAll();
    } finally {
      // In every case: guests that come back for ever would keep the process alive.
      const stopped = this.returning.stop();
      for (const node of this.world.nodes) await node.kill();
      await stopped;
    }
    if (this.findings.length === 0) this.#find('after all', await this.owners.unknown());
  }

  async #meetAll(): Promise<void> {
    const { events, mostHands: most = MOST_HANDS } = this.options;
    for (const event of events) {
      await this.crowd.moreHands(this.#dice.int(Math.ceil(most / 5), most));
      this.world.mark();
      await this.#meet(event);
      if (this.findings.length > 0) return this.#find('what the nodes wrote meanwhile', [`\n${this.world.describe()}`]);
    }
    await this.crowd.moreHands(50);
    this.#find('after the last of them', [...(await this.truth.checkAll()), ...(await this.#ownership())]);
  }

  async #meet(event: NodesEvent): Promise<void> {
    const { what, group, costs } = event;
    const { world, incidents, truth } = this;
    // Hands that an earlier event has cut off.
    await truth.cutOff();
    const { endedBy, tables, stays } = await this.#before();
    const incident: Incident = {
      what,
      group,
      lastedMs: 0,
      playMs: 0,
      againMs: [],
      voided: 0,
      ended: 0,
      starved: 0,
      ...this.#pools.due(incidents.length + 1),
    };
    incidents.push(incident);
    const ended = incident.season ? await this.#pools.endSeason() : null;
    const cup = incident.cup ? await this.#pools.endCup() : null;
    const began = performance.now();
    this.#begun.clear();
    const pids = world.nodes.map(({ pid }) => pid);
    await event.happen(world, this.#dice, this.options.longestMs).catch((error: unknown) => this.#failed(what, error));
    incident.lastedMs = performance.now() - began;
    const killed = new Set(pids.filter((_, n) => !world.nodes[n]!.lives));
    await world.whole().catch((error: unknown) => this.#failed(what, error));
    await this.#playOn(what);
    incident.playMs = performance.now() - began;
    if (group === 'kill') incident.againMs = this.#againSince(began, tables, killed);
    if (this.findings.length > 0) return;
    await Promise.all([ended?.(), cup?.()]).catch((error: unknown) => this.#failed(what, error));

    this.#find(what, this.#refusals(incident));
    this.#find(what, this.returning.findings());
    this.#find(what, await truth.check({ records: incidents.length % RECORDS_EVERY === 0 }));
    this.#find(what, await this.#ownership());
    this.#find(what, await this.#stays.lost(stays));
    this.#find(what, await this.#stays.unclaimed());
    this.#find(what, await strangeHomes(world.entrance.sql!));
    this.#find(what, await inEndedPools(world.entrance.sql!));
    this.#find(what, this.#written());
    incident.ended = (await world.endedByOthers()) - endedBy;
    incident.starved = this.#starved();
    for (const [table, hands] of await truth.cutOff()) {
      // A table may have stood still since an earlier event, so its void hand is found only now.
      const now = hands.filter((hand) => timeOfUuid7(hand) >= this.#settledAt);
      incident.voided += now.length;
      const most = Math.max(1, incident.ended + incident.starved);
      if (now.length > most && !incident.season && !incident.cup) this.#find(what, this.#cutOffAtOnce(table, now));
    }
    this.#settledAt = Date.now();
    const free = costs === 'time' && incident.ended + incident.starved === 0 && !incident.season && !incident.cup;
    if (free && incident.voided > 0) this.#find(what, [`${incident.voided} hands were cut off`]);
    this.options.onIncident?.(incident, incidents.length);
    if (incident.cup) await this.#pools.openCup(this.options.cupGuests ?? 6);
  }

  async #before() {
    const { world } = this;
    this.#starved();
    return { endedBy: await world.endedByOthers(), tables: await world.tables(), stays: await this.#stays.stored() };
  }

  /** The end of a season or competition voids hands, and an action may cross it. */
  #refusals({ season, cup }: Incident): string[] {
    const refusals = this.crowd.refusals();
    return season || cup ? refusals.filter((refusal) => !CROSSES_AN_END.test(refusal)) : refusals;
  }

  #againSince(began: number, tables: ReadonlyMap<string, number>, killed: ReadonlySet<number>): number[] {
    return [...tables].flatMap(([table, pid]) => {
      const begun = this.#begun.get(table);
      return killed.has(pid) && begun !== undefined ? [begun - began] : [];
    });
  }

  /** Shards that were given up since the last call, since they were silent. */
  #starved(): number {
    const logs = this.world.nodes.map(({ platform }) => platform.output);
    const said = logs.map((log, n) => log.slice(this.#read[n] ?? 0)).join('\n');
    this.#read = logs.map((log) => log.length);
    return [...said.matchAll(LOST)].filter(([, why]) => SILENT.test(why!)).length;
  }

  #written(): string[] {
    const lines = this.world.said().flatMap((said) => said.split('\n').filter((line) => WRONG.test(line)));
    return [...lines, ...this.world.nodes.flatMap((node) => node.fallen())];
  }

  /** A table plays one hand at a time. */
  #cutOffAtOnce(table: string, hands: readonly string[]): string[] {
    const seen = hands.map((hand) => {
      const guests = this.crowd.guests.filter(({ tableOf }) => tableOf.has(hand));
      const diaries = guests.map(({ account, diary }) => `\n    ${account.name}\n    ${diary}`);
      return `\n  ${hand}, begun at ${new Date(timeOfUuid7(hand)).toISOString()}, as was read by${diaries.join('')}`;
    });
    return [`${hands.length} hands of table ${table} were cut off at once${seen.join('')}`];
  }

  async #ownership(): Promise<string[]> {
    return [...(await this.owners.check()), ...this.#overlaps.check()];
  }

  /** Everybody is connected, and every table with company has played a hand since. */
  async #playOn(when: string): Promise<void> {
    const { crowd, returning } = this;
    const sent = new Set(crowd.sent.keys());
    // Guests that read nonsense may play no more. The next checks report what they read.
    const wrong = () => crowd.platform.faults.length > 0;
    const present = () =>
      wrong() || crowd.guests.every((guest) => returning.isRetired(guest) || !guest.player.isClosed);
    const played = async () => {
      if (wrong()) return true;
      const counts = new Map<string, number>();
      for (const { table } of await this.#stays.stored()) counts.set(table, 1 + (counts.get(table) ?? 0));
      const company = [...counts].flatMap(([table, count]) => (count >= 2 ? [table] : []));
      const since = new Set([...crowd.sent].flatMap(([hand, table]) => (sent.has(hand) ? [] : [table])));
      return company.length > 0 && company.every((table) => since.has(table));
    };
    try {
      await eventually('everybody is connected', present);
      await eventually('a hand at each table', played, 50);
    } catch (error) {
      this.#find(when, [`${(error as Error).message}\n${crowd.describe()}`]);
    }
  }

  #failed(when: string, error: unknown): void {
    this.#find(when, [(error as Error).stack ?? String(error)]);
  }

  #find(when: string, findings: readonly string[]): void {
    const { seed } = this.options;
    const n = this.incidents.length;
    this.findings.push(...findings.map((what) => `event ${n} (seed ${seed}), ${when}: ${what}`));
  }
}
