import { seededRandom } from '../../src/cards/shuffle.js';
import { audit } from '../../src/admin/audit/index.js';
import { restSpecs } from '../../src/protocol/rest/index.js';
import { BEFORE_ROUTING } from '../../src/protocol/openapi.js';
import { statusesOf } from '../../src/protocol/route.js';
import { settings, type SettingName } from '../../src/ops/settings.js';
import { Honest, rssOf, type Felt } from '../abuse/honest.js';
import { Bot } from '../support/bot.js';
import type { Scope } from '../support/database.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { type Env } from '../support/platform.js';
import { Recorder } from '../support/recorder.js';
import { assaultHttp, SlowRequests } from './broken-http.js';
import { HostileClient, type Campaign, type Identity, type Role } from './client.js';
import { Memory } from './memory.js';
import { pushAll } from './pushy.js';
import { assaultRest } from './rest.js';
import { assaultUnknown } from './strangers.js';
import { Tally } from './tally.js';
import { PATIENCE_MS } from '../support/limits.js';

/** One assault on a platform of its own, with honest bots at the tables, and what came of it. */

export interface Assault {
  transport: 'uws' | 'ws';
  /**
   * Off: everything reaches a validator, and every message is held to its answer. On: as a server has them that nobody
   * has configured; clients send at will, and are held to what the limits promise.
   */
  limits: 'on' | 'off';
  seed: number;
  /** Messages and violations on /ws. */
  frames: number;
  /** Requests to the REST API. */
  requests: number;
  /** Connections that are no proper HTTP. */
  broken: number;
  /** Tables of six honest bots in a process of their own, which reports their view. 0 is none. */
  tables: number;
  onProgress?: (done: number, all: number) => void;
}

export interface Outcome {
  frames: Tally;
  requests: Tally;
  broken: Tally;
  /** Everything that must not be; empty when all is well. */
  findings: string[];
  /** Hands that the honest bots finished meanwhile, and after it. */
  hands: number;
  handsAfter: number;
  /** Resident memory in MiB: a fifth of the way in, and at the end. */
  rss: { early: number; late: number };
  /** The same from the first moment to the last. */
  memory: readonly number[];
  /** Null without tables of theirs. */
  felt: { before: Felt; during: Felt; after: Felt } | null;
  /** Connections that say a byte now and then: how many there were, and how many the server had ended. */
  slow: { opened: number; dropped: number };
  seconds: number;
}

/** The participants besides the strangers: their number, and their steps for each of the others'. */
const ROLES: Readonly<Record<Role, { clients: number; pace: number }>> = {
  seated: { clients: 7, pace: 1 },
  unseated: { clients: 4, pace: 1 },
  waiting: { clients: 3, pace: 1 },
  patient: { clients: 4, pace: 0.25 },
  // A new agent and a new socket every few steps.
  hasty: { clients: 4, pace: 0.25 },
};
/** The part of the frames that comes from sockets without a key. */
const STRANGERS = 0.03;
/** The part that must reach a validator rather than a rate limit. */
const REACHED = 0.95;
/** More resident memory than this, over a run of any length, is a leak. */
const GROWTH_MIB = 300;
const SLOW = 20;
const HONEST = 2;
/** Hands the honest bots play at the end, alone. */
const HANDS_AFTER = 5;
const SETTLE_MS = 2000;
const FEEL_MS = 5000;
const MEMORY_POINTS = 11;

const COMMON: Env = {
  THREADS: 1,
  STARTING_CHIPS: 1_000_000,
  ACTION_TIMEOUT_MS: 5000,
  DISCONNECT_HOLD_MS: 5000,
};
const NO_LIMITS: Env = {
  WS_MESSAGES_PER_SECOND: 1_000_000,
  WS_CONNECTS_PER_MINUTE: 1_000_000,
  SEATS_PER_MINUTE: 1_000_000,
  REGISTRATIONS_PER_MINUTE: 1_000_000,
  BETWEEN_HANDS_MS: 20,
};
/** Settings that other tests change stand here at their defaults. */
const LIMITS: readonly SettingName[] = [
  'WS_MESSAGES_PER_SECOND',
  'WS_CONNECTS_PER_MINUTE',
  'SEATS_PER_MINUTE',
  'REGISTRATIONS_PER_MINUTE',
  'BETWEEN_HANDS_MS',
  'LOBBY_GRACE_MS',
];
const byDefault = (): Env =>
  Object.fromEntries(LIMITS.map((name) => [name, (settings[name] as { fallback: string }).fallback]));

export async function assault(t: Scope, given: Assault): Promise<Outcome> {
  const started = performance.now();
  const env = given.limits === 'on' ? byDefault() : NO_LIMITS;
  const platform = await ForkedPlatform.start(t, { ...COMMON, ...env, TRANSPORT: given.transport });
  const load = given.tables === 0 ? null : await Honest.gather(t, platform, 6 * given.tables);
  const honest = await seatHonest(platform, given.seed);
  if (load !== null) await Honest.settle(SETTLE_MS);
  const before = await load?.feel(FEEL_MS);
  const memory = new Memory(() => rssOf(platform));
  const run = new Run(platform, given, honest[0]!);
  const all = run.all().finally(() => memory.stop());
  const during = await (load === null ? all : load.feelWhile(all));
  const handsBefore = handsOf(honest);
  const rss = { early: run.earlyRss, late: rssOf(platform) };
  const findings = [...run.findings, ...(await stillWell(platform))];
  const handsAfter = await moreHands(honest, HANDS_AFTER);
  const after = await load?.feel(FEEL_MS);
  const felt = before && during && after ? { before, during, after } : null;
  if (handsAfter < HANDS_AFTER) findings.push(`after the assault only ${handsAfter} hands were played`);
  findings.push(...faultsOf(platform, honest), ...faultsFelt(felt));
  await platform.stop().catch((error: Error) => findings.push(error.message));
  findings.push(...troubleIn(platform.output));
  if (rss.late - rss.early > GROWTH_MIB) findings.push(`memory grew from ${rss.early} to ${rss.late} MiB`);
  findings.push(...(await audit(platform.sql!)).problems);
  const seconds = (performance.now() - started) / 1000;
  const points = memory.points(MEMORY_POINTS);
  return {
    ...run.tallies,
    findings,
    hands: handsBefore,
    handsAfter,
    rss,
    memory: points,
    felt,
    slow: run.slow,
    seconds,
  };
}

class Run {
  readonly tallies = { frames: new Tally(), requests: new Tally(), broken: new Tally() };
  readonly #recorder = new Recorder();
  readonly #target;
  readonly #steps: number;
  #done = 0;
  earlyRss = 0;
  slow = { opened: SLOW, dropped: 0 };

  constructor(
    private readonly platform: ForkedPlatform,
    private readonly given: Assault,
    private readonly witness: Bot,
  ) {
    this.#target = { host: '127.0.0.1', port: platform.port };
    this.#steps = given.frames + given.requests + given.broken;
  }

  get findings(): string[] {
    const { frames, requests, broken } = this.tallies;
    const found = [frames, requests, broken].flatMap((tally) => tally.findings);
    if (this.given.limits === 'on') return [...found, ...neverMet(frames)];
    const limited = [frames, requests].filter((tally) => tally.reached < REACHED);
    return [
      ...found,
      ...limited.map((tally) => `of ${tally.total} only ${tally.total - tally.limited} passed the rate limits`),
    ];
  }

  async all(): Promise<void> {
    const { seed, requests, broken } = this.given;
    const keys = await this.#keys(Math.max(20, Math.ceil(requests / 100)));
    const specs = await this.#documented();
    const { body } = await this.platform.api('GET', '/api/season/current');
    const { season_id: season } = body as { season_id: string };
    const live = () => ({ table: this.witness.player.table ?? 'none', season });
    const common = { target: this.#target, seed, recorder: this.#recorder };
    const slow = new SlowRequests(this.#target, SLOW);
    try {
      await Promise.all([
        this.#clients(),
        assaultRest({ ...common, tally: this.tallies.requests, specs, keys, live }, requests, this.#step),
        assaultHttp(this.#target, seed, broken, this.tallies.broken, this.#step),
      ]);
    } finally {
      this.slow.dropped = slow.end();
    }
  }

  async #clients(): Promise<void> {
    const { seed, frames } = this.given;
    const limited = this.given.limits === 'on';
    const common = {
      target: this.#target,
      seed,
      recorder: this.#recorder,
      tally: this.tallies.frames,
      newcomer: () => this.#newcomer('hostile'),
      patienceMs: PATIENCE_MS,
      limited,
    };
    const strangers = Math.round(frames * STRANGERS);
    const knocking = assaultUnknown(common, strangers, this.#step);
    const clients = limited
      ? pushAll(common, frames - strangers, (n) => this.#newcomer('hostile', n), this.#step)
      : this.#strict(common, frames - strangers);
    await Promise.all([clients, knocking]);
  }

  /** All who are held to every answer. */
  async #strict(common: Campaign, frames: number): Promise<void> {
    const cast = Object.entries(ROLES).flatMap(([role, { clients, pace }]) =>
      Array.from({ length: clients }, () => ({ role: role as Role, pace })),
    );
    const paces = cast.reduce((sum, { pace }) => sum + pace, 0);
    const runs: Promise<void>[] = [];
    let left = frames;
    for (const [n, { role, pace }] of cast.entries()) {
      const client = new HostileClient(await this.#newcomer(role), role, n, common);
      const steps = n === cast.length - 1 ? left : Math.round((frames * pace) / paces);
      left -= steps;
      runs.push(client.run(steps, this.#step));
    }
    await Promise.all(runs);
  }

  /** With the limits on each has an address of its own. */
  async #newcomer(word: string, n = 0): Promise<Identity> {
    const { name, key } = await this.platform.register(word);
    return { name, key, ip: `203.0.113.${251 - n}` };
  }

  async #keys(count: number): Promise<string[]> {
    const keys: string[] = [];
    for (let n = 0; n < count; n++) {
      const { key, agentId } = await this.platform.register('rest');
      // Some may all that only the platform may.
      if (n % 3 === 0) await this.platform.sql!`update agents set is_platform = true where agent_id = ${agentId}`;
      keys.push(key);
    }
    return keys;
  }

  /** The operations that the server documents, with their statuses. This suite must know all of them. */
  async #documented() {
    const { body } = await this.platform.api('GET', '/api/openapi.json');
    const { paths } = body as { paths: Record<string, Record<string, Operation>> };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    return operations.map(({ operationId, responses }) => {
      const spec = restSpecs.find(({ id }) => id === operationId);
      if (spec === undefined) throw new Error(`openapi.json names ${operationId}, which nobody declares`);
      const said = new Set(Object.keys(responses).map(Number));
      const meant = new Set([...Object.keys(BEFORE_ROUTING).map(Number), ...statusesOf(spec)]);
      if (said.size !== meant.size || [...meant].some((status) => !said.has(status)))
        throw new Error(`${operationId} says ${[...said].join()}, not ${[...meant].join()}`);
      return spec;
    });
  }

  readonly #step = (): void => {
    this.#done++;
    if (this.#done === Math.floor(this.#steps / 5)) this.earlyRss = rssOf(this.platform);
    if (this.#done % 1000 === 0) this.given.onProgress?.(this.#done, this.#steps);
  };
}

/** By 1008, or dropped: what the client still sends may reset the connection before it has read the close frame. */
export const endedFloods = (frames: Tally): number =>
  frames.of('close 1008', 'flooding') + frames.of('drop', 'flooding');

/** Limits that such an assault must run into. */
function neverMet(frames: Tally): string[] {
  const told = frames.of('error rate_limited') > 0 ? [] : ['never met: error rate_limited'];
  return endedFloods(frames) > 0 ? told : [...told, 'no flood was ended'];
}

interface Operation {
  operationId: string;
  responses: Record<string, unknown>;
}

// ---- the honest

const JOINED: ReadonlySet<string> = new Set(['already_in_lobby', 'already_seated']);

async function seatHonest(platform: ForkedPlatform, seed: number): Promise<Bot[]> {
  const bots: Bot[] = [];
  for (let n = 0; n < HONEST; n++) {
    const bot = new Bot(platform, await platform.register('honest'), seededRandom(seed + n));
    bot.onFrame = (frame) => {
      // It asks for a seat at each word that it has none, and two may come before the answer.
      if (frame.type !== 'error' || JOINED.has(frame.code)) return;
      platform.faults.push(new Error(`${bot.account.name} read ${JSON.stringify(frame)}`));
    };
    await bot.connect();
    bots.push(bot);
  }
  return bots;
}

const handsOf = (bots: readonly Bot[]) => Math.min(...bots.map(({ results }) => results.size));

/** Waits until every honest bot has finished so many hands more, or `Player.until` loses patience. */
async function moreHands(bots: readonly Bot[], count: number): Promise<number> {
  const goals = bots.map(({ results }) => results.size + count);
  const waits = bots.map((bot, i) => bot.player.until('more hands', () => bot.results.size >= goals[i]! || undefined));
  await Promise.allSettled(waits);
  return Math.min(...bots.map(({ results }, i) => results.size - goals[i]! + count));
}

function faultsOf(platform: ForkedPlatform, bots: readonly Bot[]): string[] {
  const rejected = bots.filter(({ rejections }) => rejections > 0);
  return [
    ...platform.faults.map(({ message }) => message),
    ...rejected.map(({ account, rejections }) => `${account.name} was rejected ${rejections} times`),
    ...bots.filter(({ player }) => player.isClosed).map(({ player }) => player.describe()),
  ];
}

function faultsFelt(felt: Outcome['felt']): string[] {
  const faults = Object.entries(felt?.after.faults ?? {});
  return faults.map(([what, count]) => `honest clients met ${count} times: ${what}`);
}

// ---- the platform

async function stillWell(platform: ForkedPlatform): Promise<string[]> {
  const { status, services } = await platform.health();
  return status === 'ok' ? [] : [`/health says ${status}: ${JSON.stringify(services)}`];
}

/** Lines of the log that tell of a fault of ours, and whatever else was written that is no log. */
export function troubleIn(output: string): string[] {
  const banner = /^(\s.*|)$/;
  return output.split('\n').flatMap((line) => {
    if (banner.test(line)) return [];
    const level = line.startsWith('{') ? (JSON.parse(line) as { level: string }).level : 'no log line';
    return ['trace', 'debug', 'info', 'warn'].includes(level) ? [] : [`the log says: ${line}`];
  });
}
