import type { Recorder } from '../support/recorder.js';
import { damaged, framed } from './delivery.js';
import { bytesOf } from './messages.js';
import { diceOf, Plan } from './plan.js';
import { RawSocket, type Target } from './raw-socket.js';
import type { Tally } from './tally.js';

const NOBODY = { token: 'none', hand: 'none', table: 'none', spent: 'one' };
/** After that the server has not ended what it should have. */
const PATIENCE_MS = 20_000;
const KEYS = [
  undefined,
  '',
  'Bearer',
  'Bearer x',
  `Bearer ap_${'0'.repeat(43)}`,
  'Basic YTpi',
  `Bearer ${'a'.repeat(3000)}`,
  'Bearer \xff',
];

/**
 * Sockets without a good key that speak at once: all they may ever read is one auth_failed and close 4001. Every
 * message counts as answered by it.
 */
export async function assaultUnknown(
  { target, seed, tally, recorder }: { target: Target; seed: number; tally: Tally; recorder: Recorder },
  messages: number,
  onStep: () => void,
): Promise<void> {
  for (let sent = 0, n = 0; sent < messages && !tally.hopeless; n++) {
    const dice = diceOf(seed ^ 0x165667b1, n);
    const plan = new Plan(seed ^ 0x165667b1, n);
    const key = dice.pick(KEYS);
    const count = Math.min(dice.int(1, 20), messages - sent);
    const texts: string[] = [];
    const socket: RawSocket = new RawSocket(
      target,
      { 'x-forwarded-for': '198.51.100.1', ...(key === undefined ? {} : { authorization: key }) },
      {
        open: () => {
          for (let i = 0; i < count; i++) speak(socket, plan);
        },
        text: (text) => texts.push(text),
      },
    );
    const late = setTimeout(() => socket.destroy(), PATIENCE_MS);
    const ending = await socket.ended;
    clearTimeout(late);
    const code = ending.how === 'close' ? `close ${ending.code}` : ending.how;
    for (let i = 0; i < count; i++) {
      tally.count(code, 'no key');
      onStep();
    }
    sent += count;
    const told = texts
      .map((text) => recorder.frame(text))
      .map((frame) => (frame.type === 'error' ? frame.code : frame.type));
    const fits = told.every((word) => word === 'auth_failed') && told.length <= 1;
    // A reset by bytes that were still on their way may take the last words along.
    if (!fits || (code !== 'close 4001' && code !== 'drop')) {
      tally.found(`seed ${seed}, stranger ${n} (${JSON.stringify(key)}): read ${JSON.stringify(told)}, then ${code}`);
    }
  }
}

function speak(socket: RawSocket, plan: Plan): void {
  const { message, delivery } = plan.nextMessage();
  const bytes = damaged(bytesOf(message, NOBODY), delivery);
  socket.send(framed(bytes, delivery));
}
