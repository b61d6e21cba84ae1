import type { Plant } from './plants.js';

/** Faults of a node that takes the lead, and of those that have another leader then. */
export const leaderPlants: readonly Plant[] = [
  {
    name: 'unreported',
    what: 'a node that takes the lead does not hear what is at the shards that live',
    file: 'src/nodes/remote-shards.ts',
    find: 'lobby.inherited(shard, message.tables);',
    replace: '',
    says: /is not answered|waits though|are not put together|left alone|sits at|is connected, and held|is gone, and counts|is still not so/,
  },
  {
    name: 'deaf-line',
    what: 'a shard that lives does not begin its line anew with the next leader',
    file: 'src/nodes/guest-shards.ts',
    find: 'if (anew) guest.line = this.#line(leader, guest);',
    replace: 'if (anew && guest.line !== null) guest.line = this.#line(leader, guest);',
    says: /is not answered|waits though|are not put together|left alone|sits at|is connected, and held|is gone, and counts|is still not so/,
  },
];
