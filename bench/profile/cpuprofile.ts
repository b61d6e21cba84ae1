/** The parts of V8's sampling profile (--cpu-prof) that are read here. Times in µs of the monotonic clock. */
export interface CpuProfile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: number[];
  }[];
  startTime: number;
  samples: number[];
  /** From the sample before (the first: from startTime) to each sample. */
  timeDeltas: number[];
}

/** A function in the tree of calls, with the time spent in it (`self`) and below it too (`total`), in µs. */
export interface Call {
  name: string;
  /** File and line, as seen from the project; '' for what is not JavaScript. */
  place: string;
  self: number;
  total: number;
  children: Call[];
}

/** Not work: the thread waits for something to do. */
export const IDLE = '(idle)';

/**
 * The tree of calls between two moments. `root` is the folder that places are told from; what lies in node_modules is
 * told from there.
 */
export function callTree(profile: CpuProfile, from: number, to: number, root: string): Call {
  const calls = new Map<number, Call>();
  for (const { id, callFrame } of profile.nodes) {
    calls.set(id, { name: callFrame.functionName || '(anonymous)', place: placeOf(callFrame, root), self: 0, total: 0, children: [] }); // prettier-ignore
  }
  for (const { id, children = [] } of profile.nodes) {
    calls.get(id)!.children = children.map((child) => calls.get(child)!);
  }
  let now = profile.startTime;
  profile.samples.forEach((id, i) => {
    const delta = profile.timeDeltas[i]!;
    now += delta;
    // A sample stands for the time up to it.
    if (now >= from && now < to) calls.get(id)!.self += delta;
  });
  const top = calls.get(profile.nodes[0]!.id)!;
  sumUp(top);
  return top;
}

function sumUp(call: Call): number {
  call.total = call.self + call.children.reduce((sum, child) => sum + sumUp(child), 0);
  return call.total;
}

function placeOf({ url, lineNumber }: { url: string; lineNumber: number }, root: string): string {
  if (url === '') return '';
  const file = url.replace(/^.*\/node_modules\//, '').replace(`file://${root}/`, '');
  return `${file}:${lineNumber + 1}`;
}

/** Time by function wherever it was called from, most first. */
export function selfTimes(tree: Call): { name: string; place: string; self: number }[] {
  const sums = new Map<string, { name: string; place: string; self: number }>();
  const visit = ({ name, place, self, children }: Call): void => {
    const key = `${name} ${place}`;
    const sum = sums.get(key) ?? { name, place, self: 0 };
    sum.self += self;
    sums.set(key, sum);
    children.forEach(visit);
  };
  visit(tree);
  return [...sums.values()].sort((a, b) => b.self - a.self);
}

/** A call that does nearly nothing but call one other says nothing. */
const PASSED_ON = 0.97;

/**
 * A flame graph as text: `visit` is called from the top down for calls of at least `least` µs, heaviest first. Calls
 * that only pass on are left out.
 */
export function walk(call: Call, least: number, visit: (call: Call, depth: number) => void, depth = 0): void {
  if (call.total < least) return;
  const children = [...call.children].sort((a, b) => b.total - a.total);
  const passesOn = children[0] !== undefined && children[0].total >= PASSED_ON * call.total;
  if (!passesOn) visit(call, depth);
  for (const child of children) walk(child, least, visit, passesOn ? depth : depth + 1);
}
