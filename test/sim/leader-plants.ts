import type { Plant } from './plants.js';

const LOST =
  /is not answered|waits though|are not put together|left alone|sits at|is connected, and held|is gone, and counts|is still not so|no hand begins/;

/** Faults of a node that takes the lead, and of those that have another leader then. */
export const leaderPlants: readonly Plant[] = [
  {
    name: 'unreported',
    what: 'a node that takes the lead does not hear what is at the shards that live',
    file: 'src/nodes/remote-shards.ts',
    find: 'lobby.inherited(shard, message.tables);',
    replace: '',
    says: new RegExp(`${LOST.source}|is void`),
  },
  {
    name: 'deaf-line',
    what: 'a shard that lives does not begin its line anew with the next leader',
    file: 'src/nodes/guest-shards.ts',
    find: 'if (anew) guest.line = this.#line(leader, guest);',
    replace: 'if (anew && guest.line !== null) guest.line = this.#line(leader, guest);',
    says: LOST,
  },
  {
    name: 'jostling',
    what: 'those who wait for a seat stand before the next leader in the order of the nodes',
    file: 'src/lobby/resumed-sockets.ts',
    find: 'joins.toSorted((a, b) => a.waiting.since - b.waiting.since)',
    replace: 'joins',
    rare: 279,
    says: /stands in line before/,
  },
  {
    name: 'unasked',
    what: 'what a leader has not answered is not asked of the next one',
    file: 'src/lobby/resumed-sockets.ts',
    find: '[...resumed.unanswered, ...held]',
    replace: 'held',
    rare: 69,
    says: /is not answered/,
  },
  {
    name: 'unheard',
    what: 'what may have died with a leader, and is not asked of the next one, is waited for',
    file: 'src/nodes/leader-way.ts',
    find: 'if (this.serves) this.hub().endUnheard();',
    replace: '',
    rare: 5371,
    says: /is not answered: resync_request/,
  },
  {
    name: 'unfollowed',
    what: 'what sockets say to a table goes where it was before it moved',
    file: 'src/nodes/member.ts',
    find: 'return hub.moved(message.table, message.shard, message.anew);',
    replace: 'return;',
    rare: 206,
    says: LOST,
  },
  {
    name: 'spendthrift',
    what: 'shards of nodes that live are given up by a node that takes the lead',
    file: 'src/nodes/remote-shards.ts',
    find: 'if (lent === undefined) {\n        peer.send',
    replace: "if (lent === undefined || lent.state === 'asked') {\n        peer.send",
    says: /is void, though its node and its shard live/,
  },
  {
    name: 'impatient',
    what: 'a node that stops gives its shards back in the middle of hands',
    file: 'src/nodes/departure.ts',
    find: 'const together = others && (await this.#leave(ms / 2));',
    replace:
      "if (others) for (const { shard, epoch } of this.shards()) this.leader()?.send({ t: 'over', shard, epoch });\n" +
      '    const together = false;',
    rare: 44,
    says: /had time to give the table away/,
  },
  {
    name: 'interrupting',
    what: 'the leader answers what its own shard says again before it goes on itself',
    file: 'src/nodes/remote-shards.ts',
    find: 'lent.line.shut();\n      peer.send',
    replace: 'peer.send',
    rare: 587,
    says: /is void, though its node and its shard live/,
  },
  {
    name: 'usurper',
    what: 'a claim of which the answer is lost is made, and nobody leads',
    file: 'src/store/node/own-node.ts',
    find: 'return unheard ? { ...leading, lives: false } : leading;',
    replace: 'return leading;',
    rare: 174,
    says: LOST,
  },
  {
    name: 'put-back',
    what: 'the clock of a shard may stand before the last hand of a table that comes there',
    file: 'src/table/hand/dealer.ts',
    find: 'uuid7(numbers.nextHandAt(now), random)',
    replace: 'uuid7(now, random)',
    rare: 18,
    says: /hands are out of order/,
  },
  {
    name: 'unsucceeded',
    what: 'a leader that stops does not see who leads next, and gives its tables to nobody',
    file: 'src/platform/succession.ts',
    find: 'if (leading !== null && leading !== undefined && leading.lives) member.follow(leading.nodeId);',
    replace: '',
    says: /no other node leads yet/,
  },
];
