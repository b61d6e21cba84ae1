import type { Recorder } from '../support/recorder.js';
import { damaged, framed } from './delivery.js';
import { bytesOf } from './messages.js';
import { diceOf, Plan } from './plan.js';
import { RawSocket, type Ending, type Target } from './raw-socket.js';
import type { Tally } from './tally.js';
import { PATIENCE_MS } from '../support/limits.js';

const NOBODY = { token: 'none', hand: 'none', table: 'none', spent: 'one' };
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

interface Assailants {
  target: Target;
  seed: number;
  tally: Tally;
  recorder: Recorder;
  /** The limits of an address are on. */
  limited?: boolean;
}

/**
 * Sockets without a good key that speak at once. They may only ever read one auth_failed and close 4001. With `limited`
 * the upgrade may be refused with 429 instead. Every message counts as answered by it.
 */
export async function assaultUnknown(
  { target, seed, tally, recorder, limited = false }: Assailants,
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
      {
        'x-forwarded-for': limited ? '198.51.100.1' : addressOf(n),
        ...(key === undefined ? {} : { authorization: key }),
      },
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
    const code = nameOf(ending);
    for (let i = 0; i < count; i++) {
      tally.count(code, 'no key');
      onStep();
    }
    sent += count;
    const told = texts
      .map((text) => recorder.frame(text))
      .map((frame) => (frame.type === 'error' ? frame.code : frame.type));
    const fits = told.every((word) => word === 'auth_failed') && told.length <= 1;
    // A reset by bytes that were still on their way may take the last frame along.
    const isDocumented = code === 'close 4001' || code === 'drop' || (limited && code === 'refused 429');
    if (!fits || !isDocumented) {
      tally.found(`seed ${seed}, stranger ${n} (${JSON.stringify(key)}): read ${JSON.stringify(told)}, then ${code}`);
    }
  }
}

/** Each from its own, where no limit is to be met: of keys that nobody holds an address may show a few. */
const addressOf = (n: number): string => `198.51.${(n >> 8) & 255}.${n & 255}`;

const nameOf = (ending: Ending): string =>
  ending.how === 'close' ? `close ${ending.code}` : ending.how === 'refused' ? `refused ${ending.status}` : 'drop';

function speak(socket: RawSocket, plan: Plan): void {
  const { message, delivery } = plan.nextMessage();
  const bytes = damaged(bytesOf(message, NOBODY), delivery);
  socket.send(framed(bytes, delivery));
}
