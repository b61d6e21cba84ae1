import type { Command, Redis } from 'ioredis';
import { answerTo } from '../ops/redis-clients.js';
import type { NodeId } from './peer.js';

/** Of a buffer that is kept for later turns, and how many are. */
const LEAST_BYTES = 64 * 1024;
const MOST_BYTES = 1024 * 1024;
const MOST_SPARE = 16;
/** Around a post, beside its channel: names of commands, lengths, ends of lines. */
const AROUND = 64;
/** Channels whose names are kept ready: those of nodes that have ended are forgotten with all others. */
const KNOWN_CHANNELS = 1_000;

const MULTI = Buffer.from('*1\r\n$5\r\nMULTI\r\n');
const EXEC = Buffer.from('*1\r\n$4\r\nEXEC\r\n');
/** The client writes nothing: what it is given is written already. */
const NOWHERE = { write: () => true } as unknown as NonNullable<Parameters<Redis['sendCommand']>[1]>;

/** A post of a turn; text is ASCII. */
interface Part {
  readonly to: NodeId;
  readonly post: Uint8Array;
}

/**
 * Writes the posts of a turn to one connection: one alone by SPUBLISH, several between MULTI and EXEC, so that they leave
 * together or not at all. All of it is put together here and written at once, since a client that is given the commands
 * copies each post three times and makes a promise for each answer; it is told of the answers only. That the posts are
 * copied once more, into a buffer that is used again, costs less than to make a buffer for each of them.
 */
export class TurnWriter {
  #bytes: Buffer = Buffer.allocUnsafeSlow(LEAST_BYTES);
  readonly #spare: Buffer[] = [];
  readonly #begins = new Map<NodeId, Buffer>();
  /** Nobody asks what these answer: where Redis refuses one, EXEC says so. */
  readonly #multi = unasked('multi');
  readonly #queued = unasked('spublish');

  constructor(
    private readonly redis: Redis,
    private readonly channelOf: (id: NodeId) => string,
  ) {}

  /** How many heard each post. Nothing is kept of the posts. */
  publish(posts: readonly Part[]): Promise<readonly number[]> {
    const { redis } = this;
    if (redis.status !== 'ready' || !redis.stream.writable) return Promise.reject(new Error('there is no connection'));
    const end = this.#put(posts);
    const several = posts.length > 1;
    const asked = answerTo(several ? 'exec' : 'spublish');
    if (several) {
      redis.sendCommand(this.#multi, NOWHERE);
      for (let i = 0; i < posts.length; i++) redis.sendCommand(this.#queued, NOWHERE);
    }
    redis.sendCommand(asked, NOWHERE);
    redis.stream.write(this.#bytes.subarray(0, end));
    // What the system has not taken yet is the connection's, until it is answered.
    const lent = redis.stream.writableLength > 0 ? this.#lend() : null;
    return asked.promise.then((answer) => {
      if (lent !== null) this.#takeBack(lent);
      return several ? countsOf(answer) : countsOf([answer]);
    });
  }

  #lend(): Buffer {
    const lent = this.#bytes;
    this.#bytes = this.#spare.pop() ?? Buffer.allocUnsafeSlow(LEAST_BYTES);
    return lent;
  }

  #takeBack(lent: Buffer): void {
    if (lent.length <= MOST_BYTES && this.#spare.length < MOST_SPARE) this.#spare.push(lent);
  }

  /** Returns where they end. */
  #put(posts: readonly Part[]): number {
    const several = posts.length > 1;
    let size = MULTI.length + EXEC.length;
    for (const { to, post } of posts) size += this.#beginOf(to).length + post.length + AROUND;
    if (size > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.#bytes.length));
    const bytes = this.#bytes;
    let at = several ? MULTI.copy(bytes) : 0;
    for (const { to, post } of posts) {
      at += this.#beginOf(to).copy(bytes, at);
      at += bytes.write(`${post.length}\r\n`, at, 'latin1');
      bytes.set(post, at);
      at += post.length;
      at += bytes.write('\r\n', at, 'latin1');
    }
    return several ? at + EXEC.copy(bytes, at) : at;
  }

  /** SPUBLISH to its channel, up to the length of the post. */
  #beginOf(to: NodeId): Buffer {
    let begin = this.#begins.get(to);
    if (begin === undefined) {
      if (this.#begins.size >= KNOWN_CHANNELS) this.#begins.clear();
      const channel = this.channelOf(to);
      begin = Buffer.from(`*3\r\n$8\r\nSPUBLISH\r\n$${Buffer.byteLength(channel)}\r\n${channel}\r\n$`);
      this.#begins.set(to, begin);
    }
    return begin;
  }
}

/** One for all of its kind: it keeps nothing of an answer. */
function unasked(name: string): Command {
  const command = answerTo(name);
  command.promise.catch(() => undefined);
  return command;
}

function countsOf(answer: unknown): number[] {
  if (Array.isArray(answer) && answer.every((count) => typeof count === 'number')) return answer as number[];
  throw new Error(`Redis answers what it should not: ${String(answer)}`);
}
