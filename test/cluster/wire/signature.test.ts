/** A call between nodes is accepted once, unchanged, at its target node, within its time. */
import fc from 'fast-check';
import t from 'tap';
import { Signatures, type SignedCall } from '../../../src/cluster/wire/signature.js';

const SECRET = 'shared by all nodes';
const CALL: SignedCall = { method: 'POST', path: '/notice', body: Buffer.from('{"kind":"adopted"}') };

function nodes({ secret = SECRET } = {}) {
  const clock = { now: 1_750_000_000_000 };
  const now = () => clock.now;
  const signer = new Signatures({ secret, nodeId: 'node-a', now });
  const verifier = new Signatures({ secret: SECRET, nodeId: 'node-b', now });
  return { clock, signer, verifier };
}

await t.test('a signed call is its signer’s', async (t) => {
  const { signer, verifier } = nodes();
  t.equal(verifier.verify(signer.sign('node-b', CALL), CALL), 'node-a');
});

await t.test('the secret is not in the header', async (t) => {
  const { signer } = nodes();
  t.notMatch(signer.sign('node-b', CALL), SECRET);
});

await t.test('each field counts', async (t) => {
  const changes: Record<string, SignedCall> = {
    method: { ...CALL, method: 'GET' },
    path: { ...CALL, path: '/forward' },
    body: { ...CALL, body: Buffer.from('{"kind":"adopted" }') },
    'empty body': { ...CALL, body: Buffer.alloc(0) },
  };
  for (const [field, call] of Object.entries(changes)) {
    const { signer, verifier } = nodes();
    t.equal(verifier.verify(signer.sign('node-b', CALL), call), null, field);
  }
  const parts = ['version', 'from', 'time', 'nonce', 'mac'];
  for (const [i, part] of parts.entries()) {
    const { signer, verifier } = nodes();
    const fields = signer.sign('node-b', CALL).split(' ');
    const last = fields[i]!.at(-2)!;
    fields[i] = fields[i]!.slice(0, -2) + (last === '1' ? '2' : '1') + fields[i]!.slice(-1);
    t.equal(verifier.verify(fields.join(' '), CALL), null, part);
  }
});

await t.test('to another node', async (t) => {
  const { signer, verifier } = nodes();
  t.equal(verifier.verify(signer.sign('node-c', CALL), CALL), null);
});

await t.test('with another secret', async (t) => {
  const { signer, verifier } = nodes({ secret: 'another' });
  t.equal(verifier.verify(signer.sign('node-b', CALL), CALL), null);
});

await t.test('a replay is refused, as long as its time is good', async (t) => {
  const { clock, signer, verifier } = nodes();
  const early = clock.now;
  // The signer's clock is 30 s ahead. A signature is good for a minute.
  clock.now = early + 30_000;
  const header = signer.sign('node-b', CALL);
  clock.now = early;
  t.equal(verifier.verify(header, CALL), 'node-a');
  for (const later of [0, 1, 30_000, 59_999, 60_000, 60_001, 200_000]) {
    clock.now = early + later;
    t.equal(verifier.verify(header, CALL), null, `${later} ms later`);
  }
});

await t.test('nonces are kept for two windows, then go', async () => {
  const { clock, signer, verifier } = nodes();
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 50 }), (pauses) => {
      const headers: { header: string; time: number }[] = [];
      for (const pause of pauses) {
        clock.now += pause;
        const header = signer.sign('node-b', CALL);
        if (verifier.verify(header, CALL) !== 'node-a') return false;
        headers.push({ header, time: clock.now });
        if (headers.some((each) => verifier.verify(each.header, CALL) !== null)) return false;
      }
      return true;
    }),
  );
});

await t.test('a time outside of the window is refused', async (t) => {
  for (const [late, isGood] of [
    [30_000, true],
    [30_001, false],
    [-30_000, true],
    [-30_001, false],
  ] as const) {
    const { clock, signer, verifier } = nodes();
    const header = signer.sign('node-b', CALL);
    clock.now += late;
    t.equal(verifier.verify(header, CALL), isGood ? 'node-a' : null, `${late} ms`);
  }
});

await t.test('garbage is refused, and nothing throws', async (t) => {
  const { signer, verifier } = nodes();
  const good = signer.sign('node-b', CALL);
  for (const text of ['', ' ', 'v1', 'v1 a b c d', good.slice(0, -1), `${good} `, `${good}x`, good.replace('v1', 'v2')])
    t.equal(verifier.verify(text, CALL), null, text);
  fc.assert(fc.property(fc.string(), (text) => verifier.verify(text, CALL) === null));
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, char) => {
      const changed = good.slice(0, at) + char + good.slice(at + 1);
      return changed === good || verifier.verify(changed, CALL) === null;
    }),
  );
});

await t.test('a node has an id, and a secret', async (t) => {
  t.throws(() => new Signatures({ secret: '', nodeId: 'a', now: Date.now }), /need a secret/);
  t.throws(() => new Signatures({ secret: 'x', nodeId: 'a b', now: Date.now }), /not the id/);
});
