import '../../src/arena/end-with-parent.js';
import { Crowd } from './crowd.js';
import type { Answer, Order } from './orders.js';

/** A process of bots: carries out the orders of its parent, one after the other. */

let crowd: Crowd | null = null;

async function carryOut(order: Order): Promise<Answer> {
  if (order.order === 'connect') crowd = await Crowd.connect(order.crowd);
  if (crowd === null) throw new Error(`nobody is connected yet: ${order.order}`);
  if (order.order === 'sit') await crowd.sit();
  if (order.order === 'play') crowd.play();
  if (order.order === 'pace') crowd.pace(order.handsPerSecond);
  if (order.order === 'begin') crowd.begin();
  if (order.order === 'leave') crowd.leave();
  return crowd.answer(order.order === 'end');
}

let last = Promise.resolve();
process.on('message', (order: Order) => {
  last = last.then(async () => {
    process.send?.(await carryOut(order));
  });
});
