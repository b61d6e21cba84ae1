/** X-Bot-Version counts for each join of its connection that tells no version itself. A bad one is refused with the join. */
import t from 'tap';
import { Client, openHouse, TRANSPORTS } from '../support/gateway.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

for (const transport of TRANSPORTS) {
  await t.test(transport, async (t) => {
    const house = await openHouse(t, transport);
    const join = async (header: string | null, message: object) => {
      const more: Record<string, string> = header === null ? {} : { 'x-bot-version': header };
      const client = await Client.connect(house.ws, 'Bearer key-1', more);
      await client.next();
      client.send({ type: 'join_lobby', ...message });
      return client;
    };
    for (const [header, message, version] of [
      ['v2', {}, 'v2'],
      ['v2', { version: null }, 'v2'],
      ['v2', { version: 'v3' }, 'v3'],
      [null, { version: 'a.b_c-4' }, 'a.b_c-4'],
      [null, {}, undefined],
    ] as const) {
      await join(header, message);
      const heard = await house.registry.messages.next();
      t.same((heard.message as { version?: string }).version, version);
    }
    for (const header of ['v'.repeat(33), 'v'.repeat(200), 'v 2', 'v/2']) {
      const client = await join(header, {});
      t.match(await client.next(), { type: 'error', code: 'invalid_message', message: /^X-Bot-Version: / });
    }
    const client = await join(null, { version: 'v 2' });
    t.match(await client.next(), { type: 'error', code: 'invalid_message', message: /^version: / });
  });
}
