import { setTimeout as sleep } from 'node:timers/promises';
import { registerBots } from '../host/accounts.js';
import { startPlatform } from '../host/servers.js';
import { Crowd } from '../../src/load/crowd.js';
import { scriptOf, type Script } from './script.js';

const SEED = 1;
const POLL_MS = 5;
const PATIENCE_MS = 60_000;

/** Plays so many hands, or a few more, at one table of a platform and makes a script of what its sockets read. */
export async function recordScript(players: number, hands: number): Promise<Script> {
  const server = await startPlatform();
  try {
    const apiKeys = await registerBots(server.url, players);
    const crowd = await Crowd.connect({
      target: server.target,
      apiKeys,
      seed: SEED,
      first: 0,
      tableOf: players,
      witness: null,
      leanPercent: 0,
      from: [],
    });
    const transcripts = apiKeys.map((): string[] => []);
    crowd.tap((bot, text) => transcripts[bot]!.push(text));
    await crowd.sit();
    crowd.play();
    for (const latest = performance.now() + PATIENCE_MS; crowd.hands < hands + 3; await sleep(POLL_MS)) {
      if (performance.now() > latest) throw new Error(`only ${crowd.hands} hands could be recorded`);
    }
    crowd.close();
    return scriptOf(transcripts);
  } finally {
    await server.stop();
  }
}
