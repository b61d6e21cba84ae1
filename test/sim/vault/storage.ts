import type { Database, Queryable } from '../../../src/store/database.js';
import { Broken } from '../broken.js';
import type { Dice } from '../dice.js';
import type { Kernel, Task, Thread } from '../machine/kernel.js';
import type { Vault } from './vault.js';

/** One pool of connections to the simulated database. */
interface Connection {
  owner: Thread;
  ended: boolean;
}

/** A statement on its way: it takes effect at one time, and is answered at another. */
interface UnderWay {
  connection: Connection;
  effect: Task;
  /** The answer never comes; the connection broke instead. */
  lose: () => void;
}

/** The faults of a statement besides an outage, and their frequency. */
export interface Weather {
  /** Typical time of a statement, in ms. */
  latency: number;
  /** Probability that something happens to a statement. */
  trouble: number;
}

export const FAIR: Weather = { latency: 1, trouble: 0 };

/** After so long a shard gives up waiting for an answer (SHARD_DEFAULTS). */
const STATEMENT_MS = 15_000;

const broken = (code: string) => Object.assign(new Error(`simulated: ${code}`), { code });

/**
 * The way to the vault: statements take time, answers get lost before or after the effect, connections break, the
 * database is away. All of it is decided by the dice.
 */
export class Storage {
  weather: Weather = FAIR;
  statements = 0;
  /** Buy-ins under way. */
  buyIns = 0;
  /** When something was last wrong: a slow or lost statement, an outage. */
  lastTrouble = -Infinity;
  #awayUntil = -Infinity;
  readonly #connections = new WeakMap<object, Connection>();
  readonly #underWay = new Set<UnderWay>();

  constructor(
    private readonly kernel: Kernel,
    private readonly vault: Vault,
    private readonly dice: Dice,
  ) {}

  connect(): Database {
    const connection: Connection = { owner: this.kernel.current, ended: false };
    connection.owner.onEnd(() => this.#abandon(connection));
    const handle = (strings: TemplateStringsArray) => {
      const text = strings.join('?');
      if (text !== 'select 1') throw new Broken(`the vault does not know this statement: ${text}`);
      return this.#run(connection, () => [{ one: 1 }]);
    };
    const end = () => {
      connection.ended = true;
      return Promise.resolve();
    };
    const sql = Object.assign(handle, { end }) as unknown as Database;
    this.#connections.set(sql, connection);
    return sql;
  }

  /** Runs a statement of the product: `effect` changes the vault for the thread that asked, all or nothing, or throws. */
  statement<T>(sql: Queryable, effect: (vault: Vault, asker: Thread) => T): Promise<T> {
    const connection = this.#connections.get(sql);
    if (connection === undefined) throw new Broken('a statement over no connection of the vault');
    return this.#run(connection, () => effect(this.vault, connection.owner));
  }

  /** Counts a buy-in while it is under way. */
  buyIn<T>(statement: Promise<T>): Promise<T> {
    this.buyIns++;
    const over = () => void this.buyIns--;
    statement.then(over, over);
    return statement;
  }

  /** The database is away for so long; of what is under way half is done, and none is answered. */
  away(ms: number): void {
    this.#awayUntil = this.kernel.now + ms;
    this.#trouble(ms);
    for (const statement of [...this.#underWay]) this.#interrupt(statement);
  }

  get isAway(): boolean {
    return this.kernel.now < this.#awayUntil;
  }

  #run<T>(connection: Connection, effect: () => T): Promise<T> {
    const { kernel, dice } = this;
    this.statements++;
    return new Promise((resolve, reject) => {
      const fail = (code: string, ms: number) =>
        kernel.plan(kernel.now + ms, () => reject(broken(code)), connection.owner);
      if (connection.ended) return fail('CONNECTION_ENDED', 0);
      if (this.isAway) return fail('ECONNREFUSED', dice.delay(3));
      const fate = dice.chance(this.weather.trouble) ? this.#fateOf(connection) : 'done';
      const slow = fate === 'slow' ? dice.int(500, 8_000) : 0;
      if (fate !== 'done') this.#trouble(fate === 'mute' ? STATEMENT_MS : slow);
      if (fate === 'refused') return fail('ECONNRESET', dice.delay(3));
      if (fate === 'collision') return fail('40001', dice.delay(3));
      const answer = (settle: () => void) => {
        const ms = dice.delay(this.weather.latency / 2);
        if (fate === 'lost') fail('CONNECTION_CLOSED', ms);
        else if (fate !== 'mute') kernel.plan(kernel.now + ms, settle, connection.owner);
      };
      const lose = () => fail('CONNECTION_CLOSED', 0);
      this.#send(connection, slow + dice.delay(this.weather.latency), lose, () => {
        try {
          const result = effect();
          this.vault.audit();
          answer(() => resolve(result));
        } catch (error) {
          if (error instanceof Broken) throw error;
          answer(() => reject(error as Error));
        }
      });
    });
  }

  /**
   * The front's statements wait for ever and meet no other's locks. In place of a missing answer or a lost race its
   * connection breaks.
   */
  #fateOf({ owner }: Connection): (typeof FATES)[number] {
    const fate = this.dice.pick(FATES);
    return owner.name.startsWith('front') && (fate === 'mute' || fate === 'collision') ? 'lost' : fate;
  }

  #trouble(ms: number): void {
    this.lastTrouble = Math.max(this.lastTrouble, this.kernel.now + ms);
  }

  #send(connection: Connection, ms: number, lose: () => void, run: () => void): void {
    const { kernel } = this;
    const effect = kernel.plan(
      kernel.now + ms,
      () => {
        this.#underWay.delete(statement);
        run();
      },
      kernel.world,
    );
    const statement: UnderWay = { connection, effect, lose };
    this.#underWay.add(statement);
  }

  #interrupt(statement: UnderWay): void {
    this.#underWay.delete(statement);
    const { run } = statement.effect;
    statement.effect.cancel();
    if (this.dice.chance(0.5)) run?.();
    statement.lose();
  }

  /** The thread is gone: what it asked last may still be done, soon or late, and is told to nobody. */
  #abandon(connection: Connection): void {
    connection.ended = true;
    for (const { connection: other, effect } of this.#underWay) {
      if (other === connection && this.dice.chance(0.5)) effect.cancel();
    }
  }
}

/**
 * - refused: the connection breaks before anything happens.
 * - collision: the statement loses a race with another transaction.
 * - slow: it takes seconds.
 * - lost: it is done, but the connection breaks before the answer.
 * - mute: it is done, and no answer ever comes.
 */
const FATES = ['refused', 'collision', 'slow', 'slow', 'lost', 'lost', 'mute'] as const;
