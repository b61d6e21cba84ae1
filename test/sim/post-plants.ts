import type { Plant } from './plants.js';

/** Faults of the order of posts. */
export const postPlants: readonly Plant[] = [
  {
    name: 'unordered',
    what: 'a post is read as soon as it arrives',
    file: 'src/shard/fronts/causal-order.ts',
    find: 'if (!sender.gone || at <= sender.arrived) return false;',
    replace: '',
    says: /reads post \d+ before \d+/,
  },
  {
    name: 'taciturn',
    what: 'a thread does not pass on what it was told of posts among others',
    file: 'src/shard/fronts/causal-order.ts',
    find: 'else if (to !== this.own) this.#learn(from, to, knows[i + 2]!, via);',
    replace: '',
    says: /reads post \d+ before \d+/,
  },
  {
    name: 'unnumbered',
    what: 'frames leave before the messages that belong to them have their number',
    file: 'src/shard/fronts/front-targets.ts',
    find: 'toMain ? this.channels.reserve(this.main) : null;',
    replace: 'null;',
    says: /reads post \d+ before \d+/,
  },
  {
    name: 'bereaved',
    what: 'a thread waits for the posts of one that is gone',
    file: 'src/shard/fronts/causal-order.ts',
    find: 'peer.gone = true;',
    replace: '',
    rare: 11,
    says: /never reads post/,
  },
];
