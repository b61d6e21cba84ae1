/** The pages' view of incomplete answers: a server that ends amid one is a server that is away. */
import t from 'tap';
import { ApiError, answered, call, reachable, returns } from '../../web/lib/api.js';

/** An answer that breaks off. */
const brokenOff = (status: number) =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"signed'));
        controller.error(new TypeError('terminated'));
      },
    }),
    { status, headers: { 'content-type': 'application/json' } },
  );

/** Resolves when the server was looked for and found. */
const found = (): Promise<void> =>
  new Promise((resolve) => {
    const before = returns.peek();
    returns.subscribe((now) => now > before && resolve());
  });

for (const [what, status, ask] of [
  ['an answer', 200, () => call('GET /api/auth/session', {})],
  ['a refusal', 404, () => answered('/api/hands', new AbortController().signal)],
] as const) {
  await t.test(`${what} that breaks off is no answer, and the server is looked for`, async (t) => {
    const answers = [brokenOff(status), new Response('ok')];
    t.capture(globalThis, 'fetch', () => Promise.resolve(answers.shift()!));
    const error = await ask().catch((thrown: unknown) => thrown);
    t.ok(error instanceof ApiError);
    t.match(error, { status: 0, message: 'The server cannot be reached' });
    t.equal(reachable.peek(), false);
    await found();
    t.equal(reachable.peek(), true);
  });
}
