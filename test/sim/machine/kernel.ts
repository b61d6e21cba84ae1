import { Agenda, type Planned } from '../agenda.js';
import { ensure } from '../broken.js';

/** Tasks without any time passing that are taken for an endless loop. */
const MOST_SPINS = 50_000;

/** Something that will run once; `cancel` it before and it does not. */
export class Task implements Planned {
  constructor(
    public at: number,
    readonly order: number,
    readonly owner: Thread,
    public run: (() => void) | null,
    /** It neither settles nor awaits a promise of the product: nothing has to be waited for after it. */
    readonly plain: boolean,
  ) {}

  cancel(): void {
    this.run = null;
  }
}

/**
 * A thread of the simulated machine. All of them share the real thread. A task belongs to its planner, and so do the
 * promises in its wake. A dead thread runs nothing more, a hung one runs it later.
 */
export class Thread {
  alive = true;
  hungUntil = 0;
  /** For how long, in ms. */
  hungFor = 0;
  /** By how much the wall clock had been set when the thread started, and by how much it is for those it starts, in ms. */
  origin = 0;
  clockStep = 0;
  readonly #atEnd: (() => void)[] = [];
  readonly children: Thread[] = [];

  constructor(
    readonly name: string,
    /** An exception that nobody caught. */
    readonly crashed: (error: Error) => void,
  ) {}

  /** It runs nothing for so many ms. */
  hang(now: number, ms: number): void {
    this.hungUntil = Math.max(this.hungUntil, now + ms);
    this.hungFor = this.hungUntil - now;
  }

  /** Called when the thread ends, however it ends. */
  onEnd(run: () => void): void {
    this.#atEnd.push(run);
  }

  end(): void {
    if (!this.alive) return;
    this.alive = false;
    for (const child of this.children) child.end();
    for (const run of this.#atEnd.splice(0)) run();
  }
}

/** The end of a thread that the simulation kills. */
export class Killed extends Error {
  override name = 'Killed';
}

/** Virtual time: runs what is planned, one thing after the other, each with all that its promises lead to. */
export class Kernel {
  /** Epoch ms. */
  now: number;
  /** The running thread. */
  current: Thread;
  tasks = 0;
  readonly #agenda = new Agenda<Task>();
  /** The world: network, database and bots belong to no thread. */
  readonly world: Thread;
  #order = 0;
  #spins = 0;
  #failure: Error | null = null;

  constructor(start: number) {
    this.now = start;
    this.world = new Thread('world', (error) => this.fail(error));
    this.current = this.world;
  }

  /** Runs at a time, on a thread (default: the present one). */
  plan(at: number, run: () => void, owner = this.current): Task {
    return this.#add(at, run, owner, false);
  }

  /** Runs after so many ms, in the world outside. */
  later(ms: number, run: () => void): Task {
    return this.#add(this.now + ms, run, this.world, true);
  }

  #add(at: number, run: () => void, owner: Thread, plain: boolean): Task {
    const task = new Task(Math.max(at, this.now), this.#order++, owner, run, plain);
    this.#agenda.add(task);
    return task;
  }

  /** Ends the run with this error as soon as the task in hand is done. */
  fail(error: Error): void {
    this.#failure ??= error;
  }

  /** Lets everything happen up to a time. */
  async runUntil(end: number): Promise<void> {
    for (let next = this.#agenda.next; next !== undefined && next.at <= end; next = this.#agenda.next) {
      this.#agenda.take();
      const { owner } = next;
      if (next.run === null || !owner.alive) continue;
      if (owner.hungUntil > next.at) {
        next.at = owner.hungUntil;
        this.#agenda.add(next);
        continue;
      }
      await this.#run(next);
    }
    this.now = Math.max(this.now, end);
  }

  async #run(task: Task): Promise<void> {
    this.#spins = task.at > this.now ? 0 : this.#spins + 1;
    ensure(this.#spins < MOST_SPINS, () => `the clock stands still at ${this.now}`);
    this.now = Math.max(this.now, task.at);
    this.current = task.owner;
    this.tasks++;
    const { run } = task;
    task.run = null;
    try {
      run?.();
    } catch (error) {
      task.owner.crashed(error as Error);
    }
    if (!task.plain) await settled();
    this.current = this.world;
    if (this.#failure !== null) throw this.#failure;
  }

  /** How many tasks of living threads, but for those of the world outside, are still to run. */
  get pending(): Task[] {
    return this.#agenda.all.filter(({ run, owner }) => run !== null && owner.alive && owner !== this.world);
  }

  /** Starts a thread that dies with its parent. */
  spawn(name: string, parent: Thread, crashed: (error: Error) => void): Thread {
    const thread = new Thread(name, crashed);
    thread.origin = parent.clockStep;
    thread.clockStep = parent.clockStep;
    parent.children.push(thread);
    return thread;
  }
}

/** All promises that can go on have gone on: nothing in a simulated machine waits for the real world. */
const settled = () => new Promise<void>((resolve) => globalThis.setImmediate(resolve));
