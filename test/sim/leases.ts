import { isConnectionError, type DatabaseAddress } from '../../src/store/database.js';
import { Leadership } from '../../src/store/node/leadership.js';
import { beginNode, type OwnNode } from '../../src/store/node/own-node.js';
import { Broken, ensure } from './broken.js';
import { Dice } from './dice.js';
import { connect } from './instead/database.js';
import { queueReminders } from './instead/season-reminders.js';
import { Kernel, type Thread } from './machine/kernel.js';
import { turnOff, turnOn, type Machine } from './machine/machine.js';
import { Trace } from './trace.js';
import { FAIR, Storage } from './vault/storage.js';
import { Vault } from './vault/vault.js';

/**
 * Processes that all want to lead one database, and nothing else of the platform. They are killed, freeze and come
 * back, and their wall clocks are set. The database's clock is another one with another speed. The database is away,
 * begins anew, answers late or never. No two lead at a time, only the leader writes the leader's rows, and in the end
 * one leads.
 */

export interface LeaseResult {
  seed: number;
  /** How often somebody began to lead, was ended by another, was refused because another lives; wrote, and was too late. */
  terms: number;
  ended: number;
  refused: number;
  writes: number;
  late: number;
}

const PROCESSES = 3;
const UNREST_MS = 60_000;
const LOOK_MS = 20;
/** How often a leader writes. */
const WRITE_MS = 150;
/** All that was wrong is over, its lease as well, and whoever gave up has tried again. */
const CALM_MS = 25_000;
/** A process that has not begun after so long is ended by whoever started it. */
const START_MS = 20_000;

const ADDRESS: DatabaseAddress = { url: 'postgres://vault' };

interface Process {
  name: string;
  thread: Thread;
  node: OwnNode | null;
}

class Leases {
  readonly kernel = new Kernel(Date.UTC(2026, 0, 31, 12));
  readonly trace = new Trace(() => this.kernel.now);
  readonly result: LeaseResult;
  readonly #dice: Dice;
  readonly #vault: Vault;
  readonly #storage: Storage;
  readonly #processes: Process[] = [];
  #calm = false;

  constructor(seed: number) {
    const { kernel } = this;
    const dice = (this.#dice = new Dice(seed));
    this.result = { seed, terms: 0, ended: 0, refused: 0, writes: 0, late: 0 };
    const offset = dice.int(-300_000, 300_000);
    const speed = 1 + dice.int(-3, 3) / 1000;
    const start = kernel.now;
    this.#vault = new Vault(() => start + offset + (kernel.now - start) * speed);
    const storage = (this.#storage = new Storage(kernel, this.#vault, new Dice(seed + 1e9)));
    const none = () => {
      throw new Broken('there are no tables, threads or sockets here');
    };
    turnOn({
      kernel,
      storage,
      dice: new Dice(seed + 2e9),
      wallStep: () => kernel.current.clockStep,
      createTable: none,
      threadStarted: none,
      threadFailed: none,
      network: null as unknown as Machine['network'],
    });
  }

  async run(): Promise<LeaseResult> {
    const { kernel } = this;
    const rejected = (error: unknown) => kernel.fail(error as Error);
    process.on('unhandledRejection', rejected);
    try {
      for (let number = 0; number < PROCESSES; number++) this.#start(number, this.#dice.int(0, 3_000));
      this.#look();
      this.#trouble();
      await kernel.runUntil(kernel.now + UNREST_MS);
      this.#calm = true;
      this.#storage.weather = FAIR;
      await kernel.runUntil(kernel.now + CALM_MS);
      ensure(this.#leaders().length === 1, () => `${this.#leaders().length} lead though nothing is wrong`);
    } finally {
      process.off('unhandledRejection', rejected);
      turnOff();
    }
    return this.result;
  }

  /** A process begins after so many ms, as often as it ends. */
  #start(number: number, ms: number): void {
    const { kernel } = this;
    kernel.later(ms, () => {
      const thread = kernel.spawn('node', kernel.world, (error) => kernel.fail(error));
      const own: Process = { name: `process ${number}`, thread, node: null };
      this.#processes[number] = own;
      thread.clockStep = this.#dice.int(-60_000, 60_000);
      thread.onEnd(() => this.#start(number, this.#dice.int(50, 3_000)));
      kernel.plan(kernel.now, () => this.#begin(own), thread);
      kernel.later(START_MS, () => own.node ?? thread.end());
    });
  }

  #begin(own: Process): void {
    const { name, thread } = own;
    void beginNode({
      address: ADDRESS,
      name,
      alone: false,
      internal: null,
      migrate: () => Promise.resolve(),
      onLost: (error) => this.#note(`${name}: ${error.message}`),
      onRegained: () => this.#note(`${name} has renewed`),
      onDrain: () => {
        throw new Broken('nobody asks for it here');
      },
      onEnded: () => {
        this.#note(`${name} was ended`);
        this.result.ended++;
        thread.end();
      },
    }).then(
      (node) => {
        this.#note(`${name} leads`);
        this.result.terms++;
        own.node = node;
        this.#lead(own, node);
      },
      (error: unknown) => {
        this.#note(`${name}: ${String(error)}`);
        if ((error as Error).name === 'RoleTaken') this.result.refused++;
        thread.end();
      },
    );
  }

  /** It writes what only the leader may, again and again, until it is told that another leads. */
  #lead({ name, thread }: Process, node: OwnNode): void {
    const { kernel } = this;
    const sql = connect(ADDRESS, { max: 1, name: 'front' });
    const leadership = new Leadership(
      () => node.epoch,
      () => {
        this.#note(`${name} writes too late`);
        this.result.late++;
        thread.end();
      },
    );
    const write = () =>
      queueReminders(sql, leadership, 'none').then(
        () => {
          this.result.writes++;
          soon();
        },
        (error: unknown) => (isConnectionError(error) ? soon() : undefined),
      );
    const soon = () => kernel.plan(kernel.now + WRITE_MS, () => void write(), thread);
    soon();
  }

  /** The processes that believe to lead and would act on it now. */
  #leaders(): Process[] {
    const { kernel } = this;
    return this.#processes.filter(({ thread, node }) => {
      if (!thread.alive || thread.hungUntil > kernel.now || node === null) return false;
      kernel.current = thread;
      const { holds } = node;
      kernel.current = kernel.world;
      return holds;
    });
  }

  #look(): void {
    const leaders = this.#leaders();
    ensure(leaders.length <= 1, () => `${leaders.map(({ name }) => name).join(' and ')} lead at the same time`);
    this.kernel.later(LOOK_MS, () => this.#look());
  }

  #trouble(): void {
    const dice = this.#dice;
    this.kernel.later(dice.int(500, 6_000), () => {
      if (this.#calm) return;
      const begun = this.#processes.filter((each) => each !== undefined);
      if (begun.length === 0) return this.#trouble();
      const own = dice.pick(begun);
      dice.pick([
        this.#kill,
        this.#kill,
        this.#freeze,
        this.#freeze,
        this.#set,
        this.#away,
        this.#restart,
        this.#leave,
      ])(own);
      this.#storage.weather = { latency: dice.pick([1, 5, 50]), trouble: dice.pick([0, 0.02, 0.1]) };
      this.#trouble();
    });
  }

  readonly #kill = ({ name, thread }: Process): void => {
    this.#note(`${name} is killed`);
    thread.end();
  };

  /** As a machine does that is put to sleep: its clock may be set before it goes on. */
  readonly #freeze = (own: Process): void => {
    const ms = this.#dice.int(500, 15_000);
    this.#note(`${own.name} freezes for ${ms} ms`);
    own.thread.hungUntil = this.kernel.now + ms;
    if (this.#dice.chance(0.5)) this.#set(own);
  };

  readonly #set = ({ name, thread }: Process): void => {
    const ms = this.#dice.int(-60_000, 60_000);
    this.#note(`the wall clock of ${name} is set by ${ms} ms`);
    thread.clockStep += ms;
  };

  readonly #away = (): void => {
    const ms = this.#dice.int(100, 8_000);
    this.#note(`the database is away for ${ms} ms`);
    this.#storage.away(ms);
  };

  /** All sessions end; the server is back at once, or later. */
  readonly #restart = (): void => {
    this.#note('the database begins anew');
    this.#vault.leases.restart();
    this.#storage.away(this.#dice.int(10, 1_000));
  };

  readonly #leave = ({ name, thread, node }: Process): void => {
    if (node === null) return;
    this.#note(`${name} stops`);
    this.kernel.plan(this.kernel.now, () => void node.leave().then(() => thread.end()), thread);
  };

  #note(line: string): void {
    this.trace.add('*', () => line);
  }
}

/** Runs one seed; a broken promise is reported with the seed and what happened. */
export async function simulateLeases(seed: number): Promise<LeaseResult> {
  const leases = new Leases(seed);
  try {
    return await leases.run();
  } catch (error) {
    const what = error instanceof Broken ? error.message : String((error as Error).stack);
    throw new Error(`seed ${seed} at ${new Date(leases.kernel.now).toISOString()}: ${what}\n${leases.trace}`);
  }
}
