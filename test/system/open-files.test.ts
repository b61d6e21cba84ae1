/** A process that may open few files. One client takes all connections, and the others play on. */
import { chmodSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { seededRandom } from '../../src/cards/shuffle.js';
import { Bot } from '../support/bot.js';
import { stopCluster } from '../support/database.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { temporaryFolder } from '../support/platform.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const FILES = 1024;
const HANDS = 5;

const script = join(temporaryFolder(t), 'node');
writeFileSync(script, `#!/bin/sh\nulimit -n ${FILES}\nexec "${process.execPath}" "$@"\n`);
chmodSync(script, 0o755);

for (const TRANSPORT of ['uws', 'ws']) {
  await t.test(`${TRANSPORT}: 1,000 connections of one client at ${FILES} open files`, async (t) => {
    const own = process.execPath;
    process.execPath = script;
    t.teardown(() => void (process.execPath = own));
    const platform = await ForkedPlatform.start(t, {
      TRANSPORT,
      TRUSTED_PROXY: 0,
      THREADS: 2,
      STARTING_CHIPS: 1_000_000,
      REBUY_COOLDOWNS: '0',
    });
    t.match(platform.output, /only 1024 files may be open \(ulimit -n\), .* connections: these settings need 4096/);
    const bots = await Promise.all(
      [0, 1, 2].map(async (n) => new Bot(platform, await platform.register('honest'), seededRandom(n))),
    );
    for (const bot of bots) await bot.connect();
    const moreHands = () =>
      Promise.all(
        bots.map((bot) => {
          const goal = bot.results.size + HANDS;
          return bot.player.until('more hands', () => bot.results.size >= goal || undefined);
        }),
      );
    await moreHands();

    const open = new Set<Socket>();
    t.teardown(() => open.forEach((socket) => socket.destroy()));
    const connected = async (from: string) => {
      const socket = connect({ port: platform.port, host: '127.0.0.1', localAddress: from });
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => open.delete(socket));
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);
    };
    const attack = async (from: string, count: number) => {
      for (let n = 0; n < count; n++) await connected(from);
    };
    await attack('127.0.0.66', 1000);
    // test/gateway tests an address's share. Here the others must be able to play.
    await eventually('the refused connections to end', () => open.size <= 512);
    await moreHands();
    const newcomer = new Bot(platform, await platform.register('newcomer'), seededRandom(3));
    await newcomer.connect();
    bots.push(newcomer);
    await moreHands();

    for (const from of ['127.0.0.67', '127.0.0.68', '127.0.0.69']) await attack(from, 500);
    await eventually('all have what they may', () => open.size < 0.9 * FILES);
    t.ok(open.size > 600, `${open.size} of four addresses are open`);
    await moreHands();
    for (const socket of open) socket.destroy();
    t.match(await platform.health(), { status: 'ok' });
    await moreHands();
    t.notMatch(platform.output, /EMFILE|uncaught|shard .* (?:lost|ended)/);
    await platform.stop();
  });
}
