/** A stretch of real play as what each socket was sent after each action. It goes round: after the last step, the first. */
export interface Script {
  /** Hands in one round. */
  hands: number;
  /** By role: the table_joined of each player. */
  joined: string[];
  steps: Step[];
}

/**
 * The effect of one action up to the next your_turn: frames by role, in groups that left in one write each. A second
 * group follows the end of a hand, because the hand is committed first.
 */
export type Step = string[][][];

interface Frame {
  seq: number;
  type: string;
  text: string;
}

/**
 * Makes a script of all that the sockets of one table read, role by role. Events are numbered across the sockets, so
 * every frame belongs to the step that ends with the next your_turn. It begins with the second hand that everybody
 * plays and goes on as long as everybody does; throws when that is not to the end.
 */
export function scriptOf(transcripts: readonly (readonly string[])[]): Script {
  const roles = transcripts.map((texts) => texts.map(frameOf));
  const starts = handsOfAll(roles);
  const turns = seqsOf(roles.flat(), 'your_turn');
  const [first, last] = [starts[0]!, starts.at(-1)!].map((start) => turns.findIndex((turn) => turn > start));
  const steps = [];
  for (let i = first!; i < last!; i++) steps.push(stepOf(roles, turns[i - 1] ?? 0, turns[i]!));
  const joined = roles.map((role) => role.find(({ type }) => type === 'table_joined')!.text);
  return { hands: starts.length - 1, joined, steps };
}

function frameOf(text: string): Frame {
  const seq = Number(/"table_seq":(\d+)/.exec(text)?.[1] ?? 0);
  return { seq, type: /"type":"(\w+)"/.exec(text)![1]!, text };
}

/** Numbers of the hand_starts that every role has read, but for the first, which goes with somebody's coming. */
function handsOfAll(roles: readonly (readonly Frame[])[]): number[] {
  const starts = roles.map((role) => seqsOf(role, 'hand_start'));
  const common = starts[0]!.filter((seq) => starts.every((own) => own.includes(seq))).slice(1);
  if (common.length < 2) throw new Error('too few hands for a script');
  const all = new Set(starts.flat().filter((seq) => seq >= common[0]! && seq <= common.at(-1)!));
  if (all.size > common.length) throw new Error('a player missed a hand of the script');
  return common;
}

function seqsOf(frames: readonly Frame[], wanted: string): number[] {
  const seqs = frames.filter(({ type }) => type === wanted).map(({ seq }) => seq);
  return [...new Set(seqs)].sort((a, b) => a - b);
}

function stepOf(roles: readonly (readonly Frame[])[], after: number, until: number): Step {
  const own = roles.map((role) => role.filter(({ seq }) => seq > after && seq <= until));
  const result = own[0]!.find(({ type }) => type === 'hand_result');
  if (result === undefined) return [textsOf(own)];
  // The settled table_state, right before the result, is the first that had to wait for the commit.
  const part = (waited: boolean) =>
    textsOf(own.map((role) => role.filter(({ seq }) => seq >= result.seq - 1 === waited)));
  return [part(false), part(true)];
}

const textsOf = (roles: readonly (readonly Frame[])[]) => roles.map((role) => role.map(({ text }) => text));
