/** The fuzzer finds faults that are planted in servers of the test's own, and finds nothing where there is none. */
import t, { type Test } from 'tap';
import { restSpecs } from '../../../src/protocol/rest/index.js';
import { troubleIn } from '../../fuzz/campaign.js';
import { HostileClient } from '../../fuzz/client.js';
import { faultyRestServer, faultySocketServer, type SocketFault } from '../../fuzz/faulty-server.js';
import { PushyClient, type Speed } from '../../fuzz/pushy.js';
import { assaultRest } from '../../fuzz/rest.js';
import { Tally } from '../../fuzz/tally.js';
import { FILE_MS, PATIENCE_MS } from '../../support/limits.js';
import { Recorder } from '../../support/recorder.js';

t.setTimeout(FILE_MS);

/** Where a fitting answer, or an end, never comes; elsewhere the client waits as long as anybody, so that a slow machine finds nothing. */
const SILENCE_MS = 300;

async function findingsOf(t: Test, fault: SocketFault, steps: number, patienceMs = PATIENCE_MS): Promise<string[]> {
  const target = await faultySocketServer(t, fault);
  const tally = new Tally();
  const identity = { name: 'somebody', key: 'any', ip: '203.0.113.1' };
  const common = { target, seed: 1, tally, recorder: new Recorder(), newcomer: async () => identity, patienceMs };
  await Promise.all(
    (['seated', 'hasty'] as const).map((role, n) =>
      new HostileClient(identity, role, n, common).run(steps, () => undefined),
    ),
  );
  return tally.findings;
}

const PLANTED: Readonly<Record<string, { fault: SocketFault; found: RegExp; patienceMs?: number }>> = {
  'a message is not answered': {
    patienceMs: SILENCE_MS,
    fault: { say: (socket, answer, n) => n % 40 !== 0 && socket.send(answer) },
    found: /not answered/,
  },
  'a message is answered twice': {
    fault: {
      say: (socket, answer, n) => [answer, ...(n % 40 === 0 ? [answer] : [])].forEach((text) => socket.send(text)),
    },
    found: /fits nothing asked/,
  },
  'a code that no document knows': {
    patienceMs: SILENCE_MS,
    fault: { say: (socket, answer) => socket.send(answer.replace('unknown_message', 'oops')) },
    found: /does not fit its schema/,
  },
  'a code that means something else': {
    patienceMs: SILENCE_MS,
    fault: { say: (socket, answer) => socket.send(answer.replace('invalid_message', 'unknown_message')) },
    found: /fits nothing asked/,
  },
  'a socket ended over bad JSON': {
    fault: { say: (socket, answer, _, verdict) => (verdict === 'invalid' ? socket.close(1003) : socket.send(answer)) },
    found: /without a cause: \{"how":"close","code":1003,/,
  },
  'frames of any size': {
    patienceMs: SILENCE_MS,
    fault: { anySize: true },
    found: /'(frame over 16 KiB|frame of 1 MiB).*goes on/,
  },
  'text that is no UTF-8': {
    patienceMs: SILENCE_MS,
    fault: { anyText: true },
    found: /'text that is no UTF-8.*goes on/,
  },
};

const TOO_FAST = JSON.stringify({ type: 'error', code: 'rate_limited', message: 'Too many messages' });

/** Says once a second that it was too much, and ends a flood. */
function limitedServer(): SocketFault {
  const seen = new WeakMap<object, { since: number; count: number }>();
  return {
    say: (socket, answer) => {
      const now = performance.now();
      let second = seen.get(socket);
      if (second === undefined || now - second.since >= 1000) seen.set(socket, (second = { since: now, count: 0 }));
      const n = ++second.count;
      if (n <= 20) socket.send(answer);
      else if (n === 21) socket.send(TOO_FAST);
      else if (n > 200) socket.close(1008);
    },
  };
}

await t.test('the fuzzer finds planted faults', async (t) => {
  t.same(await findingsOf(t, {}, 2000), [], 'and none where there is none');
  for (const [name, { fault, found, patienceMs }] of Object.entries(PLANTED)) {
    const findings = await findingsOf(t, fault, 3000, patienceMs);
    t.ok(
      findings.some((finding) => found.test(finding)),
      name,
      { findings: findings.slice(0, 3) },
    );
  }

  const pushed = async (speed: Speed, fault: SocketFault, patienceMs = PATIENCE_MS) => {
    const tally = new Tally();
    const common = { target: await faultySocketServer(t, fault), seed: 1, tally, recorder: new Recorder(), patienceMs }; // prettier-ignore
    const identity = { name: 'somebody', key: 'any', ip: '203.0.113.1' };
    await new PushyClient(identity, speed, 1, common).run(speed === 'flooding' ? 1200 : 60, () => undefined);
    return tally.findings.join('\n');
  };
  t.equal(await pushed('flooding', limitedServer()), '', 'where the limits are kept there is nothing to find');
  t.equal(await pushed('pushy', limitedServer()), '');
  t.match(await pushed('flooding', {}, SILENCE_MS), /600 messages at once did not end the socket/);
  t.match(
    await pushed('pushy', { say: (socket) => socket.send(TOO_FAST) }),
    /told \d+ times in .* that it is too fast/,
  );
  t.match(await pushed('steady', { say: (socket) => socket.close(1008) }), /without a cause/);

  const rest = async (answer: Parameters<typeof faultyRestServer>[1]) => {
    const tally = new Tally();
    const common = { seed: 1, tally, recorder: new Recorder(), specs: restSpecs, keys: ['any'] };
    const live = () => ({ table: 'table', season: 'season' });
    await assaultRest({ ...common, live, target: await faultyRestServer(t, answer) }, 100, () => undefined);
    return tally.findings.join('\n');
  };
  const json = { 'content-type': 'application/json' };
  t.match(await rest((r) => r.writeHead(500, json).end('{"detail":"x"}')), /undocumented status 500/);
  t.match(await rest((r) => r.writeHead(200, json).end('{"oops":1}')), /does not fit its schema/);
  t.match(await rest((r) => r.writeHead(404, { 'content-type': 'text/html' }).end('no')), /as 'text\/html'/);
  t.match(await rest((r) => r.destroy()), /ended without an answer/);

  const good = '{"level":"warn","msg":"slow"}\n\n  Agent Poker is open\n';
  t.same(troubleIn(good), []);
  t.match(troubleIn(`${good}{"level":"error","msg":"oops"}\nTypeError: oops\n    at x`), [/oops/, /TypeError/]);
});
