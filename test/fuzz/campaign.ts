import { readFileSync } from 'node:fs';
import { seededRandom } from '../../src/cards/shuffle.js';
import { audit } from '../../src/admin/audit/index.js';
import { restSpecs } from '../../src/protocol/rest/index.js';
import { statusesOf } from '../../src/protocol/route.js';
import { Bot } from '../support/bot.js';
import type { Scope } from '../support/database.js';
import { TestPlatform } from '../support/platform.js';
import { Recorder } from '../support/recorder.js';
import { assaultHttp, SlowRequests } from './broken-http.js';
import { HostileClient, type Identity, type Role } from './client.js';
import { assaultRest } from './rest.js';
import { assaultUnknown } from './strangers.js';
import { Tally } from './tally.js';

/** One assault on a platform of its own, with honest bots at the tables, and what came of it. */

export interface Assault {
  transport: 'uws' | 'ws';
  seed: number;
  /** Messages and violations on /ws. */
  frames: number;
  /** Requests to the REST API. */
  requests: number;
  /** Connections that are no proper HTTP. */
  broken: number;
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
  /** Connections that say a byte now and then: how many there were, and how many the server had ended. */
  slow: { opened: number; dropped: number };
  seconds: number;
}

/** Who takes part, besides the strangers: how many, and how many steps they go for each of the others'. */
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
/** How long the platform may take for one answer, busy as the machine may be. */
const PATIENCE_MS = 20_000;
const SLOW = 20;
const HONEST = 2;
/** Hands the honest bots play at the end, alone. */
const HANDS_AFTER = 5;

const ENV = {
  THREADS: 1,
  STARTING_CHIPS: 1_000_000,
  WS_MESSAGES_PER_SECOND: 1_000_000,
  WS_CONNECTS_PER_MINUTE: 1_000_000,
  REGISTRATIONS_PER_MINUTE: 1_000_000,
  BETWEEN_HANDS_MS: 20,
  ACTION_TIMEOUT_MS: 5000,
  DISCONNECT_HOLD_MS: 5000,
};

export async function assault(t: Scope, given: Assault): Promise<Outcome> {
  const started = performance.now();
  const platform = await TestPlatform.start(t, { ...ENV, TRANSPORT: given.transport });
  const honest = await seatHonest(platform, given.seed);
  const run = new Run(platform, given, honest[0]!);
  await run.all();
  const handsBefore = handsOf(honest);
  const rss = { early: run.earlyRss, late: rssOf(platform) };
  const findings = [...run.findings, ...(await stillWell(platform))];
  const handsAfter = await moreHands(honest, HANDS_AFTER);
  if (handsAfter < HANDS_AFTER) findings.push(`after the assault only ${handsAfter} hands were played`);
  findings.push(...faultsOf(platform, honest));
  await platform.stop().catch((error: Error) => findings.push(error.message));
  findings.push(...troubleIn(platform.output));
  if (rss.late - rss.early > GROWTH_MIB) findings.push(`memory grew from ${rss.early} to ${rss.late} MiB`);
  findings.push(...(await audit(platform.sql!)).problems);
  const seconds = (performance.now() - started) / 1000;
  return { ...run.tallies, findings, hands: handsBefore, handsAfter, rss, slow: run.slow, seconds };
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
    private readonly platform: TestPlatform,
    private readonly given: Assault,
    private readonly witness: Bot,
  ) {
    this.#target = { host: '127.0.0.1', port: platform.port };
    this.#steps = given.frames + given.requests + given.broken;
  }

  get findings(): string[] {
    const { frames, requests, broken } = this.tallies;
    const limited = [frames, requests].filter((tally) => tally.reached < REACHED);
    return [
      ...[frames, requests, broken].flatMap((tally) => tally.findings),
      ...limited.map((tally) => `of ${tally.total} only ${tally.total - tally.limited} passed the rate limits`),
    ];
  }

  async all(): Promise<void> {
    const { seed, requests, broken } = this.given;
    const slow = new SlowRequests(this.#target, SLOW);
    const keys = await this.#keys(Math.max(20, Math.ceil(requests / 100)));
    const specs = await this.#documented();
    const { body } = await this.platform.api('GET', '/api/season/current');
    const { season_id: season } = body as { season_id: string };
    const live = () => ({ table: this.witness.player.table ?? 'none', season });
    const common = { target: this.#target, seed, recorder: this.#recorder };
    await Promise.all([
      this.#clients(),
      assaultRest({ ...common, tally: this.tallies.requests, specs, keys, live }, requests, this.#step),
      assaultHttp(this.#target, seed, broken, this.tallies.broken, this.#step),
    ]);
    this.slow.dropped = slow.end();
  }

  async #clients(): Promise<void> {
    const { seed, frames } = this.given;
    const common = {
      target: this.#target,
      seed,
      recorder: this.#recorder,
      tally: this.tallies.frames,
      newcomer: () => this.#newcomer('hostile'),
      patienceMs: PATIENCE_MS,
    };
    const strangers = Math.round(frames * STRANGERS);
    const cast = Object.entries(ROLES).flatMap(([role, { clients, pace }]) =>
      Array.from({ length: clients }, () => ({ role: role as Role, pace })),
    );
    const paces = cast.reduce((sum, { pace }) => sum + pace, 0);
    const runs: Promise<void>[] = [];
    let left = frames - strangers;
    for (const [n, { role, pace }] of cast.entries()) {
      const client = new HostileClient(await this.#newcomer(role), role, n, common);
      const steps = n === cast.length - 1 ? left : Math.round(((frames - strangers) * pace) / paces);
      left -= steps;
      runs.push(client.run(steps, this.#step));
    }
    await Promise.all([...runs, assaultUnknown(common, strangers, this.#step)]);
  }

  async #newcomer(word: string): Promise<Identity> {
    const { name, key } = await this.platform.register(word);
    return { name, key, ip: '203.0.113.251' };
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

  /** The operations that the server says it has, all of which this suite must know, with the statuses it says. */
  async #documented() {
    const { body } = await this.platform.api('GET', '/api/openapi.json');
    const { paths } = body as { paths: Record<string, Record<string, Operation>> };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    return operations.map(({ operationId, responses }) => {
      const spec = restSpecs.find(({ id }) => id === operationId);
      if (spec === undefined) throw new Error(`openapi.json names ${operationId}, which nobody declares`);
      const said = Object.keys(responses).map(Number);
      if (String(said.sort()) !== String(statusesOf(spec).sort()))
        throw new Error(`${operationId} says ${said.join()}`);
      return spec;
    });
  }

  readonly #step = (): void => {
    this.#done++;
    if (this.#done === Math.floor(this.#steps / 5)) this.earlyRss = rssOf(this.platform);
    if (this.#done % 1000 === 0) this.given.onProgress?.(this.#done, this.#steps);
  };
}

interface Operation {
  operationId: string;
  responses: Record<string, unknown>;
}

// ---- the honest

async function seatHonest(platform: TestPlatform, seed: number): Promise<Bot[]> {
  const bots: Bot[] = [];
  for (let n = 0; n < HONEST; n++) {
    const bot = new Bot(platform, await platform.register('honest'), seededRandom(seed + n));
    bot.onFrame = (frame) => {
      if (frame.type === 'error') platform.faults.push(new Error(`${bot.account.name} read ${JSON.stringify(frame)}`));
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

function faultsOf(platform: TestPlatform, bots: readonly Bot[]): string[] {
  const rejected = bots.filter(({ rejections }) => rejections > 0);
  return [
    ...platform.faults.map(({ message }) => message),
    ...rejected.map(({ account, rejections }) => `${account.name} was rejected ${rejections} times`),
    ...bots.filter(({ player }) => player.isClosed).map(({ player }) => player.describe()),
  ];
}

// ---- the platform

async function stillWell(platform: TestPlatform): Promise<string[]> {
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

function rssOf({ pid }: TestPlatform): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kib === undefined) throw new Error('no VmRSS');
  return Math.round(Number(kib) / 1024);
}
