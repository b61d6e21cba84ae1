import { connect, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import type { WatchAnswer, WatchOrder } from './orders.js';

/**
 * Spectators in a process of their own: sockets that read as fast as they can, and look at nothing. Elsewhere they sit
 * at machines of their own; here they read in what the server, the players and the database leave of the cores.
 */
setPriority(constants.priority.PRIORITY_LOW);

/** All read into the same bytes: a buffer for each read costs the cores more than the reading. */
const into = Buffer.alloc(64 * 1024);
const sockets: Socket[] = [];
let bytes = 0;

/** Resolves once the upgrade is answered. */
function watch({ host, port, table }: Extract<WatchOrder, { order: 'watch' }>, n: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let upgraded = false;
    const read = (length: number, buffer: Uint8Array) => {
      if (upgraded) bytes += length;
      else {
        const head = Buffer.from(buffer.subarray(0, length)).toString('latin1');
        if (!head.startsWith('HTTP/1.1 101')) reject(new Error(head));
        upgraded = true;
        resolve();
      }
      return true;
    };
    const socket = connect({ port, host, onread: { buffer: into, callback: read } });
    socket.once('error', reject);
    sockets.push(socket);
    socket.write(
      `GET /ws/watch?table_id=${table} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n` +
        `X-Forwarded-For: 198.${18 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}\r\n\r\n`,
    );
  });
}

/** Handshakes under way at a time. */
const AT_ONCE = 100;

async function obey(order: WatchOrder): Promise<WatchAnswer> {
  if (order.order === 'watch') {
    for (let n = 0; n < order.count; n += AT_ONCE) {
      const group = Math.min(AT_ONCE, order.count - n);
      await Promise.all(Array.from({ length: group }, (_, i) => watch(order, n + i)));
    }
  } else if (order.order === 'leave') {
    for (const socket of sockets.splice(0)) socket.destroy();
  }
  const open = sockets.filter(({ destroyed }) => !destroyed).length;
  return { open, bytes };
}

process.on('message', (order: WatchOrder) => void obey(order).then((answer) => process.send!(answer)));
process.on('disconnect', () => process.exit());
