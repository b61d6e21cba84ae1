import '../arena/end-with-parent.js';
import { Crowd, type Witness } from './crowd.js';
import type { OrderAnswer, LoadOrder } from './orders.js';

/**
 * Carries out the orders of the parent process, one after the other. `witness` makes what reads along on one socket,
 * with or without state_hash; null where nobody does.
 */
export function serveOrders(witness: ((hash: boolean) => Witness) | null): void {
  // A Ctrl-C goes to the parent and its children alike: the parent says what is to be done.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  let crowd: Crowd | null = null;
  const carryOut = async (order: LoadOrder): Promise<OrderAnswer> => {
    if (order.order === 'connect' || order.order === 'come') {
      const { witness: wanted } = order.crowd;
      const reader = wanted === null || witness === null ? null : witness(wanted.hash);
      if (order.order === 'connect') crowd = await Crowd.connect(order.crowd, reader);
      else {
        crowd = new Crowd(order.crowd, reader);
        crowd.play();
        void crowd.come(order.coming);
      }
    }
    if (crowd === null) throw new Error(`no bot is connected yet: ${order.order}`);
    if (order.order === 'sit') await crowd.sit(order.next);
    if (order.order === 'play') crowd.play();
    if (order.order === 'halt') crowd.halt();
    if (order.order === 'pace') crowd.pace(order.handsPerSecond);
    if (order.order === 'think') crowd.think(order.ms);
    if (order.order === 'begin') crowd.begin();
    if (order.order === 'leave') await crowd.leave(order.patienceMs);
    const answer = crowd.answer(order.order === 'tell' || order.order === 'leave');
    if (order.order === 'leave' || order.order === 'close') crowd.close();
    return answer;
  };
  let last = Promise.resolve();
  process.on('message', (order: LoadOrder) => {
    last = last.then(async () => {
      process.send?.(await carryOut(order));
    });
  });
}
