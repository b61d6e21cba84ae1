import { Killed } from './machine/kernel.js';
import type { World } from './world.js';

/** Plans what will go wrong outside of the product's own doing, from now to `end` (virtual ms). */
export function planTroubles(world: World, end: number): void {
  const { dice, kernel, storage } = world;
  const span = end - kernel.now;
  const sometime = (probability: number, run: () => void) => {
    if (dice.chance(probability)) kernel.later(dice.unit() * span, run);
  };
  storage.weather = { latency: dice.pick([0.3, 1, 10]), trouble: dice.pick([0, 0, 0.005, 0.03]) };
  sometime(0.3, () => storage.away(dice.int(200, 8_000)));
  sometime(0.3, () => kill(world));
  sometime(0.15, () => kill(world));
  sometime(0.2, () => hang(world));
  sometime(0.15, () => world.process.crash());
  sometime(0.1, () => world.process.restart());
  sometime(0.5, () => promote(world));
  // With dice of its own: what befalls a seed otherwise stays as it was.
  if (world.moreDice.chance(0.5)) kernel.later(world.moreDice.unit() * span, () => setBack(world));
}

/** Time in which part of the platform stands still, or the database is away; nobody is to lose a turn or a seat by it. */
export function planStalls(world: World, end: number, count: number): void {
  const { dice, kernel, storage } = world;
  const span = end - kernel.now;
  const stalls: readonly ((ms: number) => void)[] = [
    (ms) => world.process.freeze(ms),
    (ms) => world.process.front.hang(kernel.now, ms),
    (ms) => dice.pick(world.threads.filter((thread) => thread.alive)).hang(kernel.now, ms),
    (ms) => storage.away(ms),
  ];
  for (let i = 0; i < count; i++) {
    kernel.later(dice.unit() * span, () => {
      const ms = dice.int(100, 5_000);
      world.stalls++;
      world.troubled(ms + 5_000);
      dice.pick(stalls)(ms);
    });
  }
}

export function kill(world: World, dice = world.dice): void {
  const alive = world.threads.filter((thread) => thread.alive);
  if (alive.length === 0) return;
  const thread = dice.pick(alive);
  world.note(`${thread.name} is killed`);
  world.troubled(0);
  thread.crashed(new Killed('killed by the simulation'));
}

/** Some hangs are short enough to be survived, the others end by the heartbeat. */
function hang(world: World): void {
  const alive = world.threads.filter((thread) => thread.alive);
  if (alive.length === 0) return;
  const thread = world.dice.pick(alive);
  const ms = world.dice.pick([200, 1_500, 10_000]);
  world.note(`${thread.name} hangs for ${ms} ms`);
  thread.hungUntil = world.kernel.now + ms;
  world.troubled(Math.min(ms, 5_000));
}

/** Somebody sets the wall clock back, and a thread ends: the one that stands in for it starts with that time. */
function setBack(world: World): void {
  world.note('the wall clock is set back');
  world.setClock(-60_000);
  kill(world, world.moreDice);
}

/** Somebody buys a season pass. */
function promote({ vault, dice }: World): void {
  const entries = [...vault.allEntries()];
  if (entries.length > 0) dice.pick(entries).premium = true;
}
