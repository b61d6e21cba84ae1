/** A fault planted into the product's source when the world is built: `find`, which stands there once, gives way. */
export interface Plant {
  name: string;
  /** The fault. */
  what: string;
  file: string;
  find: string;
  replace: string;
  /** The simulation's finding. */
  says: RegExp;
  /** It shows rarely: the first world that found it, where the test begins. */
  rare?: number;
}

/** For `npm run campaign -- sim --plant NAME`, and for the test that the simulation finds each. */
export const plants: readonly Plant[] = [
  {
    name: 'chips',
    what: 'a chip is lost where a pot is split',
    file: 'src/holdem/pots.ts',
    find: 't.payouts[seat] = t.payouts[seat]! + chips;',
    replace: 't.payouts[seat] = t.payouts[seat]! + chips - (count > 1 && i === 0 ? 1 : 0);',
    says: /a hand is void.*a hand pays out what was put in/,
    rare: 24,
  },
  {
    name: 'twice',
    what: 'a buy-in counts twice at the table',
    file: 'src/shard/host/seat-ops.ts',
    find: '{ sitting, seat, stack: m.buyIn, ',
    replace: '{ sitting, seat, stack: 2 * m.buyIn, ',
    says: /is told \d+, stored is|chips at the table, \d+ stored/,
  },
  {
    name: 'early',
    what: 'the result of a hand is told before it is stored',
    file: 'src/table/hand/dealer.ts',
    find: "core.effect({ kind: 'commit', record });",
    replace: "core.effect({ kind: 'commit', record }); this.settle();",
    says: /is told \d+, stored is|told that is not stored|chips at the table, \d+ stored|a hand is void/,
  },
  {
    name: 'order',
    what: 'a table_seq is used twice',
    file: 'src/table/numbering.ts',
    find: 'this.tableSeq++;',
    replace: 'if (this.tableSeq % 97 !== 0 || this.handSeq % 2 === 0) this.tableSeq++;',
    says: /table_seq does not rise|told in two ways|two actors|out of order/,
  },
  {
    name: 'again',
    what: 'a table that is opened again counts from the start',
    file: 'src/shard/main/boot.ts',
    find: '({ ...table, rules:',
    replace: '({ ...table, seqFloor: 0, rules:',
    says: /opens above 0, though \d+ was sent/,
  },
  {
    name: 'leak',
    what: 'table_state shows the hole cards of the neighbour',
    file: 'src/table/frames/state.ts',
    find: 'writeCards(w, play.hand.hole, 2 * seat.index, 2 * seat.index + 2);',
    replace: 'writeCards(w, play.hand.hole, 2 * ((seat.index + 1) % 6), 2 * ((seat.index + 1) % 6) + 2);',
    says: /must not see/,
  },
  {
    name: 'muck',
    what: 'hand_result shows hands that were mucked or folded',
    file: 'src/table/frames/event.ts',
    find: 'if ((event.shown & (1 << seat)) === 0) continue;',
    replace: '',
    says: /must not see/,
  },
  {
    name: 'river',
    what: 'table_state shows the next card of the board before its street',
    file: 'src/table/frames/state.ts',
    find: 'writeCards(w, play.hand.boardCards, 0, play.inHand ? play.boardCount : 0);',
    replace: 'writeCards(w, play.deck, 2 * play.players.length, 2 * play.players.length + (play.boardCount % 5) + 1);',
    says: /must not see|a pot or a board between hands/,
  },
  {
    name: 'clock',
    what: 'a turn has no deadline',
    file: 'src/table/hand/hand-in-play.ts',
    find: 'this.turnDeadline = now + ms;',
    replace: 'this.turnDeadline = Infinity;',
    says: /an open turn without a deadline|stands still|an open turn has an end/,
  },
  {
    name: 'retry',
    what: 'a repeated action is refused instead of acknowledged again',
    file: 'src/table/hand/player-actions.ts',
    find: 'if (isRetryOf(accepted, message, rules.actionProtocol))',
    replace: 'if (isRetryOf(accepted, message, rules.actionProtocol) && this.core.now === 0)',
    says: /is refused when repeated/,
  },
  {
    name: 'window',
    what: 'the replay window forgets who left',
    file: 'src/table/frames/frame-sender.ts',
    find: 'const start = this.#open(FrameType[event.kind]);\n    this.#window.record(this.#numbers, event);',
    replace:
      "const start = this.#open(FrameType[event.kind]);\n    if (event.kind !== 'player_left') this.#window.record(this.#numbers, event);",
    says: /is not replayed/,
  },
  {
    name: 'silence',
    what: 'a second join_lobby is not answered',
    file: 'src/lobby/lobby.ts',
    find: "this.#refuse(agent, 'already_in_lobby');",
    replace: '',
    says: /is not answered: join_lobby/,
    rare: 27,
  },
  {
    name: 'starve',
    what: 'match-making overlooks a table with a free seat',
    file: 'src/lobby/matching/draft.ts',
    find: 'this.#joinable = this.tables.filter((table) => table.room > 0 && table.members.length > 0);',
    replace: 'this.#joinable = this.tables.filter((table) => table.room > 3 && table.members.length > 0);',
    rare: 32,
    says: /waits though .* has a free seat/,
  },
  {
    name: 'alone',
    what: 'a lone player waits at its table for ever',
    file: 'src/lobby/matching/matchmake.ts',
    find: 'if (table === undefined || now - since < graceMs) continue;',
    replace: 'if (table === undefined || now - since < Infinity) continue;',
    rare: 13,
    says: /is left alone at|waits though|everybody has left/,
  },
  {
    name: 'attach',
    what: 'players of a lost shard who are connected do not get their seats back',
    file: 'src/lobby/table-messages.ts',
    find: 'this.attach(agent);',
    replace: '',
    says: /is connected, and held as disconnected/,
  },
  {
    name: 'promise',
    what: 'a rebuy that was scheduled comes without a word',
    file: 'src/rebuys/rebuys.ts',
    find: 'lobby.notify(agentId, result.message, scopeOf(poolId));',
    replace: '',
    rare: 80,
    says: /is not answered: the rebuy scheduled/,
  },
  {
    name: 'ghost',
    what: 'who goes away goes on waiting in the lobby',
    file: 'src/lobby/lobby.ts',
    find: 'if (waiter?.agent === agent && waiter.sent === null) this.matchmaking.drop(waiter);',
    replace: '',
    says: /it is still not so that the house is empty/,
    rare: 5,
  },
  {
    name: 'stuck',
    what: 'the table is not told that a seat was cashed out',
    file: 'src/shard/host/seat-ops.ts',
    find: 'this.context.call(slot, (table, now) => table.released(now, sitting));',
    replace: '',
    says: /sits at .* and at|is told \d+, stored is|everybody has left|waits though|no hand begins/,
  },
  {
    name: 'linger',
    what: 'a stopped pool of shards goes on asking them for signs of life',
    file: 'src/shard/main/pool.ts',
    find: 'clearInterval(timer);',
    replace: '',
    says: /timers keep a stopped platform alive/,
  },
];
