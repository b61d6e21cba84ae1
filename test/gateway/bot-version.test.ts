/** X-Bot-Version counts for each join of its connection that tells no version itself. A bad one is refused with the join. */
import t from 'tap';
import { Client, housesOf, WAYS, type House } from '../support/gateway.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

async function join(house: House, header: string | null, message: object): Promise<Client> {
  const more: Record<string, string> = header === null ? {} : { 'x-bot-version': header };
  const client = await Client.connect(house.ws, 'Bearer key-1', more);
  await client.next();
  client.send({ type: 'join_lobby', ...message });
  return client;
}

for (const way of WAYS) {
  await t.test(way.name, async (t) => {
    const { withHouse } = housesOf(t, way);

    await withHouse('the version of the message goes before that of the connection', async (t, house) => {
      for (const [header, message, version] of [
        ['v2', {}, 'v2'],
        ['v2', { version: null }, 'v2'],
        ['v2', { version: 'v3' }, 'v3'],
        [null, { version: 'a.b_c-4' }, 'a.b_c-4'],
        [null, {}, undefined],
      ] as const) {
        await join(house, header, message);
        const heard = await house.registry.messages.next();
        t.equal((heard.message as { version?: string }).version, version);
      }
    });

    await withHouse('a bad version is refused with the join', async (t, house) => {
      for (const header of ['v'.repeat(33), 'v'.repeat(200), 'v 2', 'v/2']) {
        const client = await join(house, header, {});
        t.match(await client.next(), { type: 'error', code: 'invalid_message', message: /^X-Bot-Version: / });
      }
      const client = await join(house, null, { version: 'v 2' });
      t.match(await client.next(), { type: 'error', code: 'invalid_message', message: /^version: / });
    });
  });
}
