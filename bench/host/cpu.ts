import { readdirSync, readFileSync } from 'node:fs';

/** CPU time used so far, in ms. */
export interface CpuTimes {
  /** The whole process, without its children. */
  process: number;
  /** The kernel's part of it. */
  kernel: number;
  /** Its main thread. */
  main: number;
  /** All its descendants: of a server, its database. */
  children: number;
}

/** Linux counts in hundredths of a second here, on every architecture that Node runs on. */
const MS_PER_TICK = 10;
const NS_PER_MS = 1e6;

interface Process {
  parent: number;
  own: number;
  kernel: number;
  /** Its children that have ended and were waited for. */
  ended: number;
}

/** Reads /proc, so on Linux only. */
export function cpuTimes(pid: number): CpuTimes {
  const processes = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    const process = /^\d+$/.test(name) ? readProcess(name) : null;
    if (process !== null) processes.set(Number(name), process);
  }
  const server = processes.get(pid);
  if (server === undefined) throw new Error(`process ${pid} is gone`);
  const main = Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]) / NS_PER_MS;
  return { process: server.own, kernel: server.kernel, main, children: server.ended + descendants(pid, processes) };
}

function descendants(pid: number, processes: ReadonlyMap<number, Process>): number {
  let ms = 0;
  for (const [child, { parent, own, ended }] of processes) {
    if (parent === pid) ms += own + ended + descendants(child, processes);
  }
  return ms;
}

/** Null when it ended meanwhile. */
function readProcess(pid: string): Process | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return null;
    throw error;
  }
  // The program's name stands in brackets and may hold anything; state and parent follow (proc(5)).
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent, , , , , , , , , , user, system, endedUser, endedSystem] = fields as [number, ...number[]];
  return {
    parent: parent!,
    own: (user! + system!) * MS_PER_TICK,
    kernel: system! * MS_PER_TICK,
    ended: (endedUser! + endedSystem!) * MS_PER_TICK,
  };
}

/** Resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
}
