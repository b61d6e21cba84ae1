import { openRedis } from '../../test/support/redis.js';
import { busOf, cpuMs, FIRST, OTHER, READ_EVERY, steady } from './wire.js';

/**
 * The other node of the bench, and the Redis of both: says pings again, counts posts, tells its CPU when asked. It ends
 * with the bench, however that ends, and takes Redis along.
 */
const teardowns: (() => Promise<void>)[] = [];
let ending = false;
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  for (const teardown of teardowns) await teardown();
  process.exit();
}
process.on('disconnect', () => void end());
process.on('SIGTERM', () => void end());
// Of a terminal's Ctrl-C it hears by the end of the bench.
process.on('SIGINT', () => undefined);

const { path } = await openRedis({ teardown: (close) => void teardowns.unshift(close) });
const bus = busOf(OTHER, path);
let read = 0;
await bus.begin({
  ...steady,
  message: (peer, word) => {
    if (word.t === 'ping') peer.send(word);
    else if (++read % READ_EVERY === 0) peer.send({ t: 'read', n: read });
  },
});
bus.peer(FIRST);
process.on('message', () => process.send?.({ path, cpu: cpuMs() }));
process.send?.({ path, cpu: cpuMs() });
