/** A gate between a test and its server. Slow, silent and late bytes keep their order, and no byte is lost. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Gate } from './gate.js';
import { eventually } from './limits.js';

class OpenGate extends Gate {
  port = 0;

  protected async listen(server: Server): Promise<void> {
    await once(server.listen(this.port, '127.0.0.1'), 'listening');
    this.port = (server.address() as AddressInfo).port;
  }
}

/** A server that echoes, a gate to it, and clients through the gate. */
async function world(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-poker-gate-'));
  const path = join(folder, 'echo.sock');
  const server = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(path);
  await once(server, 'listening');
  const gate = new OpenGate({ path });
  await gate.mend();
  const clients: Socket[] = [];
  t.teardown(async () => {
    for (const client of clients) client.destroy();
    await gate.cut();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const client = async (place: { port: number } | { path: string } = gate) => {
    const socket = connect(place).on('error', () => undefined);
    clients.push(socket);
    await once(socket, 'connect');
    const read = { text: '' };
    socket.setEncoding('utf8').on('data', (text: string) => (read.text += text));
    const says = (text: string) =>
      eventually(`${text}, and not ${read.text}`, () => (read.text === text ? true : null));
    return { socket, read, says, gone: new Promise((resolve) => socket.once('close', resolve)) };
  };
  /** Bytes through another connection. */
  const elsewhere = async () => {
    const { socket, says } = await client({ path });
    socket.write('a moment');
    await says('a moment');
  };
  return { gate, client, elsewhere };
}

await t.test('what is slow keeps its order, also where it becomes faster', async (t) => {
  const { gate, client } = await world(t);
  const { socket, says } = await client();
  let sent = '';
  for (let n = 0; n < 300; n++) {
    gate.delay([20, 0, 7][n % 3]!);
    socket.write(`${n} `);
    sent += `${n} `;
    // Each text is a piece of its own.
    await new Promise(setImmediate);
  }
  await says(sent);
});

await t.test('silence: nothing is closed, nothing comes; then all of it does, in its order', async (t) => {
  const { gate, client, elsewhere } = await world(t);
  const before = await client();
  before.socket.write('a');
  await before.says('a');
  gate.freeze();
  before.socket.write('b');
  const meanwhile = await client();
  meanwhile.socket.write('x');
  await elsewhere();
  t.equal(before.read.text, 'a');
  t.equal(meanwhile.read.text, '');
  before.socket.write('c');
  gate.release();
  await before.says('abc');
  await meanwhile.says('x');
});

await t.test('silence that ends with what was connected meanwhile: it never comes', async (t) => {
  const { gate, client } = await world(t);
  const before = await client();
  gate.freeze();
  before.socket.write('a');
  const meanwhile = await client();
  gate.thaw();
  await Promise.all([before.gone, meanwhile.gone]);
  t.equal(before.read.text, '');
  const after = await client();
  after.socket.write('b');
  await after.says('b');
});

await t.test('it closes, and opens again at the same place', async (t) => {
  const { gate, client } = await world(t);
  const { gone } = await client();
  await gate.cut();
  await gone;
  const refused = connect(gate.port, '127.0.0.1');
  t.match(await once(refused, 'error'), [{ code: 'ECONNREFUSED' }]);
  await gate.mend();
  const { socket, says } = await client();
  socket.write('again');
  await says('again');
});
