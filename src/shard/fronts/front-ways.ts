import { mainThreadWays, type WaysOf } from '../host/flush-target.js';
import { FrontTargets } from './front-targets.js';
import { OrderedChannels } from './ordered-channels.js';

/** Where threads of their own hold the sockets, numbered posts to those; else as without them. */
export const waysOf: WaysOf = (task, out) => {
  if (task.fronts === null) return mainThreadWays(task, out);
  const channels = new OrderedChannels(task.fronts.life);
  const target = new FrontTargets(channels, task.port, task.fronts.count, out);
  return {
    channels,
    target,
    connectFront: ({ front, port }) => target.connect(front, port),
    holds: (front, socket) => target.holds(front, socket),
  };
};
