import { kill } from './troubles.js';
import type { World } from './world.js';

const LOOK_MS = 5;

/** By this part of the time the leader is told to stop, in some worlds: mostly before anything else has gone wrong. */
const STOPPED_AT = 0.15;

/** What a carrier's way or the database takes to be mended, and all that hung on it. */
const MENDED_MS = 8_000;

/** Plans what befalls several nodes until `end`: one of them dies in each world, or is displaced, which is the leader mostly. */
export function planNodeTroubles(world: World, end: number): void {
  const { nodeDice: dice, kernel, storage, bus, processes } = world;
  const span = end - kernel.now;
  const sometime = (probability: number, run: () => void) => {
    if (dice.chance(probability)) kernel.later(dice.unit() * span, run);
  };
  const anyNode = () => dice.pick(processes.all);
  const worse = () => {
    for (const id of world.vault.leases.living) bus.worsen(id);
    world.troubled(MENDED_MS);
  };
  storage.weather = { latency: dice.pick([0.3, 1, 10]), trouble: dice.pick([0, 0, 0.005]) };
  kernel.later(span * (0.2 + 0.3 * dice.unit()), () => {
    const leader = processes.leader;
    if (leader === undefined) return;
    dice.pick([() => leader.crash(), () => leader.crash(), () => leader.freeze(dice.int(3_000, 15_000)), () => leader.restart()])(); // prettier-ignore
  });
  if (world.seed % 10 === 9) killAmidWaiting(world, end);
  if (world.seed % 10 === 4) kernel.later(span * STOPPED_AT, () => processes.leader?.restart());
  sometime(0.4, () => processes.leader?.crash());
  sometime(0.3, () => anyNode().crash());
  sometime(0.2, () => anyNode().freeze(dice.int(500, 10_000)));
  sometime(0.2, () => anyNode().restart());
  sometime(0.3, () => kill(world, dice));
  sometime(0.4, worse);
  sometime(0.2, () => {
    const ms = dice.int(10, 4_000);
    bus.away(ms);
    world.troubled(ms + MENDED_MS);
  });
  sometime(0.3, () => {
    const ms = dice.int(200, 8_000);
    storage.away(ms);
    world.troubled(ms + MENDED_MS);
  });
}

/** The leader is killed the first time that sockets of several other nodes wait for a seat. */
function killAmidWaiting(world: World, end: number): void {
  const { kernel, processes, bots } = world;
  const look = () => {
    const { leader } = processes;
    const fronts = bots.flatMap(({ greetedAt, line }) => (greetedAt === null || line === null ? [] : [line.front]));
    if (leader !== undefined && new Set(fronts.filter((front) => front !== leader.front)).size > 1) leader.crash();
    else if (kernel.now < end) kernel.later(LOOK_MS, look);
  };
  look();
}
