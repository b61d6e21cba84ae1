import { setTimeout as sleep } from 'node:timers/promises';
import { whole } from '../src/command/options.js';
import { bench, Steps } from './benches.js';
import { Histogram } from '../src/load/histogram.js';
import { Load, refuseFaults } from '../src/load/load.js';
import { registerBots } from './host/accounts.js';
import { startPlatform, type Server } from './host/servers.js';
import { atLeast, atMost, report, show, told } from './report.js';

/*
 * The cost of hosted bots for others. Ten ordinary tables of six answer at once, without and with 200 hosted bots on
 * the same machine. The two cases run in turns on one server. Told is the time from an action to its acknowledgement,
 * as the ordinary bots see it.
 */

const options = bench(
  'hosted',
  {
    seconds: whole('measured, of each turn', 15, { least: 1 }),
    rounds: whole('turns without and with them', 2, { least: 1 }),
    bots: whole('hosted bots; with another number nothing is written', 200, { least: 1 }),
    pace: whole('pause of a hosted bot before it acts, in ms; with another pause nothing is written', 400),
  },
  ({ seconds, rounds }) => 20 + rounds * (2 * seconds + 15),
);

const TABLES = 10;
const SIX = 6;
const SETTLE_MS = 3000;
/** Requests under way at a time. */
const AT_ONCE = 8;
const TEMPLATES = ['shark', 'rock', 'gambler', 'bluffer', 'gto_lite', 'calling_station'];
const { seconds, bots } = options;

/** Asks the same of every bot. */
async function ask(server: Server, keys: readonly string[], path: string, body?: (n: number) => object): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < keys.length) {
      const n = next++;
      const answer = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys[n]}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body(n)),
      });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function connections(server: Server): Promise<number> {
  const health = (await (await fetch(`${server.url}/health`)).json()) as { game: { active_connections: number } };
  return health.game.active_connections;
}

async function untilConnected(server: Server, count: number): Promise<void> {
  while ((await connections(server)) !== count) await sleep(100);
}

interface Turn {
  latencies: Histogram;
  hands: number;
}

async function measure(load: Load): Promise<Turn> {
  await sleep(SETTLE_MS);
  const seen = await load.measure(seconds, async () => undefined);
  refuseFaults(seen);
  return { latencies: seen.latencies, hands: seen.hands };
}

const together = (turns: readonly Turn[]): Turn => ({
  latencies: turns.reduce((all, { latencies }) => all.merge(latencies), new Histogram()),
  hands: turns.reduce((sum, { hands }) => sum + hands, 0) / turns.length / seconds,
});

async function run(server: Server): Promise<{ alone: Turn; beside: Turn; hostedHands: number }> {
  const guests = await registerBots(server.url, TABLES * SIX, 'guest');
  const hosted = await registerBots(server.url, bots, 'hosted');
  const load = await Load.connect({ target: server.target, apiKeys: guests, players: SIX });
  const [alone, beside]: [Turn[], Turn[]] = [[], []];
  await load.play();
  await sleep(SETTLE_MS);
  const steps = new Steps(2 * options.rounds);
  for (let round = 0; round < options.rounds; round++) {
    steps.next(`round ${round + 1}, alone`);
    alone.push(await measure(load));
    console.log(`  round ${round + 1} of ${options.rounds}: ${alone.at(-1)!.hands} hands alone`);
    steps.next(`round ${round + 1}, beside ${bots} hosted bots`);
    const strategy = (n: number) => ({ template: TEMPLATES[n % TEMPLATES.length]! });
    await ask(server, hosted, '/api/bot/deploy', (n) => ({ mode: 'hosted', strategy: strategy(n) }));
    await untilConnected(server, guests.length + hosted.length);
    beside.push(await measure(load));
    console.log(`  round ${round + 1} of ${options.rounds}: ${beside.at(-1)!.hands} hands beside`);
    if (round === options.rounds - 1) break;
    await ask(server, hosted, '/api/bot/stop');
    await untilConnected(server, guests.length);
  }
  const played = await Promise.all(hosted.map((key) => handsPlayed(server, key)));
  await load.stop();
  return { alone: together(alone), beside: together(beside), hostedHands: Math.min(...played) };
}

async function handsPlayed(server: Server, key: string): Promise<number> {
  const answer = await fetch(`${server.url}/api/bot/status`, { headers: { authorization: `Bearer ${key}` } });
  return ((await answer.json()) as { hands_played: number }).hands_played;
}

const server = await startPlatform({ THREADS: 1, BETWEEN_HANDS_MS: 300, HOSTED_PACE_MS: options.pace });
try {
  const { alone, beside, hostedHands } = await run(server);
  const p = (turn: Turn, quantile: number) => turn.latencies.quantile(quantile);
  const figures = [
    told('hands of the ordinary tables, alone', alone.hands, '1/s'),
    told('hands of the ordinary tables, beside', beside.hands, '1/s'),
    told('action to ack, alone: p50', p(alone, 0.5), 'ms'),
    told('action to ack, alone: p99', p(alone, 0.99), 'ms'),
    told(`action to ack, beside ${bots} hosted bots: p50`, p(beside, 0.5), 'ms'),
    told(`action to ack, beside ${bots} hosted bots: p99`, p(beside, 0.99), 'ms'),
    atMost('p50 beside, of alone', p(beside, 0.5) / p(alone, 0.5), '', 1.5),
    atMost('p99 beside, of alone', p(beside, 0.99) / p(alone, 0.99), '', 2),
    atLeast('hands of the hosted bot that played least', hostedHands, '', 1),
  ];
  const standard = options.pace === 400 && options.bots === 200;
  process.exitCode = (standard ? report : show)('hosted', figures) ? 0 : 1;
} finally {
  await server.stop();
}
