import type { Test } from 'tap';
import type { ServerMessageOf } from '../../src/protocol/server.js';
import type { TestPlatform } from './platform.js';
import { Player, untilAny, type ActionName, type Choice, type Turn } from './player.js';

/** Checks for free, else folds. */
export const passive = (turn: Pick<Turn, 'valid_actions'>): Choice => {
  const free = turn.valid_actions.some(({ action }) => action === 'check');
  return { action: free ? 'check' : 'fold' };
};

/** Checks for free, else calls (all-in if need be). */
export const calling = (turn: Pick<Turn, 'valid_actions'>): Choice => {
  const offered = new Set(turn.valid_actions.map(({ action }) => action));
  return { action: offered.has('check') ? 'check' : offered.has('call') ? 'call' : 'all_in' };
};

/** All-in whenever it is offered. */
export const shoving = (turn: Pick<Turn, 'valid_actions'>): Choice => {
  const allIn = turn.valid_actions.some(({ action }) => action === 'all_in');
  return allIn ? { action: 'all_in' } : calling(turn);
};

/** A test with a platform's tables for itself. Its players come, and leave at the end. */
export class Scene {
  readonly players: Player[] = [];

  constructor(readonly platform: TestPlatform) {}

  /** A new agent with an open socket, after its greeting. */
  async player(name = 'bot'): Promise<Player> {
    return this.connect(await this.platform.register(name));
  }

  /** Another socket of an agent, after its greeting. */
  async connect(account: Player['account']): Promise<Player> {
    const player = await Player.open(this.platform, account);
    this.players.push(player);
    await player.next('connected');
    return player;
  }

  /**
   * `size` new players at one table, in the first hand with all of them dealt in, with the first turn open. Earlier
   * hands are checked or folded.
   */
  async game(size: number, { buyIn = 2000, names = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay'] } = {}): Promise<Game> {
    const players: Player[] = [];
    for (const name of names.slice(0, size)) players.push(await this.player(name));
    const game = new Game(players);
    await game.sit(buyIn);
    return game;
  }

  /** All players leave, and the platform is empty again. */
  async end(): Promise<void> {
    await Promise.all(this.players.map((player) => leave(player)));
    await this.platform.empty();
  }

  describe(): string {
    const log = this.platform.output.slice(-3000).replace(/^/gm, '    ');
    return [...this.players.map((player) => player.describe()), '  the log of the platform:', log].join('\n');
  }
}

/**
 * From now on the players act by themselves, at once in an open turn. Use it to wait while hands go on. On a slow
 * machine the next hand may have begun, and a leaver goes only at its end.
 */
export function playOn(players: readonly Player[], policy: (turn: Turn) => Choice = passive): void {
  for (const player of players) {
    player.auto = policy;
    if (player.isClosed || player.turn === null) continue;
    const choice = policy(player.turn);
    player.act(choice.action, choice.amount ?? null);
  }
}

/** Gives up the seat, if there is one, and closes the socket. */
async function leave(player: Player): Promise<void> {
  if (!player.isClosed) {
    const { departures } = player;
    const read = player.frames.length;
    playOn([player]);
    player.send({ type: 'leave_table' });
    await player.until('its seat to be given up', () => {
      const none = player.frames.slice(read).some((frame) => frame.type === 'error' && frame.code === 'not_at_table');
      return none || player.departures > departures || player.isClosed ? true : undefined;
    });
  }
  await player.close();
}

/** Players at one table, and the hand they play. */
export class Game {
  constructor(readonly players: Player[]) {}

  get tableId(): string {
    return this.players[0]!.table ?? '';
  }

  async sit(buyIn: number): Promise<void> {
    const { players } = this;
    for (const player of players) {
      player.auto = (turn) => (turn.players.length < players.length ? passive(turn) : null);
    }
    // The first two players open the table. Each later one finds it open.
    await Promise.all(players.slice(0, 2).map((player) => join(player, buyIn)));
    for (const player of players.slice(2)) await join(player, buyIn);
    const { turn } = await this.actor();
    for (const player of players) {
      player.auto = null;
      player.skip(turn?.hand_id);
    }
  }

  /** The player to act, once everybody has been dealt in and a turn is open. */
  actor(): Promise<Player> {
    const { players } = this;
    return untilAny(players, 'an open turn', () =>
      players.find(({ turn }) => turn !== null && turn.players.length >= 2 && this.#allDealt(turn)),
    );
  }

  #allDealt(turn: Turn): boolean {
    return this.players.every(
      ({ isClosed, seat }) => isClosed || seat === null || turn.players.some((player) => player.seat === seat),
    );
  }

  /** The player to act acts; resolves to this player. */
  async play(action: ActionName, amount: number | null = null): Promise<Player> {
    const actor = await this.actor();
    await actor.play(action, amount);
    return actor;
  }

  /** Plays the hand to its end by a policy. Resolves when all present players have read its result. */
  async finish(policy: (turn: Turn) => Choice = passive): Promise<ServerMessageOf['hand_result']> {
    const actor = await this.actor();
    const handId = actor.turn!.hand_id;
    for (const player of this.players) player.auto = (turn) => (turn.hand_id === handId ? policy(turn) : null);
    const choice = policy(actor.turn!);
    actor.act(choice.action, choice.amount ?? null);
    const present = this.players.filter((player) => !player.isClosed);
    const results = await Promise.all(present.map((player) => resultOf(player, handId)));
    for (const player of this.players) player.auto = null;
    return results[0]!;
  }
}

/** All players go all-in, hand after hand, until one has lost all. Resolves to the loser. */
export async function bust(game: Game): Promise<Player> {
  for (;;) {
    const { final_stacks } = await game.finish(shoving);
    const loser = game.players.find(({ seat, isClosed }) => !isClosed && final_stacks[String(seat)] === 0);
    if (loser !== undefined) return loser;
    // A player with a bust message has no seat any more.
    const told = game.players.find(({ seat }) => seat === null);
    if (told !== undefined) return told;
  }
}

/** Joins the lobby, without a buy-in for null, and waits for the seat. */
export async function join(player: Player, buyIn: number | null = 2000): Promise<void> {
  player.send({ type: 'join_lobby', ...(buyIn === null ? {} : { buy_in: buyIn }) });
  await player.next('table_joined');
}

export function resultOf(player: Player, handId: string): Promise<ServerMessageOf['hand_result']> {
  return player.until(`the result of ${handId}`, () =>
    player.all('hand_result').find(({ hand_id }) => hand_id === handId),
  );
}

/**
 * Declares tests that each have the platform to themselves. A failure shows the last frames and lines of the log.
 * `ofEach` is the reason why a promise holds for each node alone. Such a test is skipped on a platform of several
 * nodes.
 */
export function scenesOf(t: Test, platform: TestPlatform) {
  return (name: string, run: (t: Test, scene: Scene) => Promise<void>, ofEach = '') =>
    t.test(name, { skip: ofEach !== '' && platform.nodes > 1 && ofEach }, async (t) => {
      const scene = new Scene(platform);
      const untold = await failureOf(run(t, scene));
      const untidy = await failureOf(scene.end());
      const failure = untold ?? untidy;
      const faults = platform.faults.splice(0).map(({ message }) => message);
      t.same(faults, [], 'every frame was in order');
      if (failure !== null || !t.passing()) console.error(`${name}\n${scene.describe()}`);
      if (failure !== null) throw failure;
    });
}

const failureOf = (work: Promise<unknown>): Promise<Error | null> =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
