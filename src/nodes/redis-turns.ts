import type { Command, Redis } from 'ioredis';
import { answerTo } from '../ops/redis-clients.js';
import type { Outgoing } from './carrier.js';
import type { NodeId } from './peer.js';

const LEAST_BYTES = 64 * 1024;
/** Of a buffer that is kept for later turns, and how many are. */
const MOST_BYTES = 1024 * 1024;
const MOST_SPARE = 8;
/** Around a post, beside its channel: names of commands, lengths, ends of lines. */
const AROUND = 64;
/** Channels whose names are kept ready: those of nodes that have ended are forgotten with all others. */
const KNOWN_CHANNELS = 1_000;

const MULTI = Buffer.from('*1\r\n$5\r\nMULTI\r\n');
const EXEC = Buffer.from('*1\r\n$4\r\nEXEC\r\n');
/** The client writes nothing: what it is given is written already. */
const NOWHERE = { write: () => true } as unknown as NonNullable<Parameters<Redis['sendCommand']>[1]>;

/**
 * Writes the posts of a turn to one connection: one alone by SPUBLISH, several between MULTI and EXEC, so that they leave
 * together or not at all. All of it is put together here and written at once, since a client that is given the commands
 * makes a buffer for each of them and a promise for each answer; it is told of the answers only. That the posts are
 * copied once more, into a buffer that is used again, costs less than to make a buffer for each of them.
 */
export class TurnWriter {
  #block = blockOf(LEAST_BYTES);
  readonly #spare: Block[] = [];
  readonly #begins = new Map<NodeId, Buffer>();
  /** Nobody asks what these answer: where Redis refuses one, EXEC says so. */
  readonly #multi = unasked('multi');
  readonly #queued = unasked('spublish');

  constructor(
    private readonly redis: Redis,
    private readonly channelOf: (id: NodeId) => string,
  ) {}

  /** How many heard each post. Nothing is kept of the posts. */
  publish(posts: readonly Outgoing[]): Promise<readonly number[]> {
    const { redis } = this;
    if (redis.status !== 'ready' || !redis.stream.writable) return Promise.reject(new Error('there is no connection'));
    const block = this.#roomFor(posts);
    const began = block.end;
    this.#put(posts, block);
    const several = posts.length > 1;
    const asked = answerTo(several ? 'exec' : 'spublish');
    if (several) {
      redis.sendCommand(this.#multi, NOWHERE);
      for (let i = 0; i < posts.length; i++) redis.sendCommand(this.#queued, NOWHERE);
    }
    redis.sendCommand(asked, NOWHERE);
    redis.stream.write(block.bytes.subarray(began, block.end));
    // The system has all of it. What it has not taken yet stays where it is until it is answered.
    if (redis.stream.writableLength === 0) block.end = 0;
    block.unanswered++;
    return asked.promise.then((answer) => {
      if (--block.unanswered === 0 && block !== this.#block) this.#keep(block);
      return several ? countsOf(answer) : countsOf([answer]);
    });
  }

  /** The present block, or the next one, where that many bytes are free. */
  #roomFor(posts: readonly Outgoing[]): Block {
    let size = MULTI.length + EXEC.length;
    for (const { to, post } of posts) size += this.#beginOf(to).length + post.length + AROUND;
    const block = this.#block;
    if (block.unanswered === 0) block.end = 0;
    if (block.end + size <= block.bytes.length && block.bytes.length <= MOST_BYTES) return block;
    const spare = size <= LEAST_BYTES ? this.#spare.pop() : undefined;
    return (this.#block = spare ?? blockOf(Math.max(size, LEAST_BYTES)));
  }

  #keep(block: Block): void {
    block.end = 0;
    if (block.bytes.length <= MOST_BYTES && this.#spare.length < MOST_SPARE) this.#spare.push(block);
  }

  #put(posts: readonly Outgoing[], block: Block): void {
    const { bytes } = block;
    let at = block.end;
    if (posts.length > 1) at += MULTI.copy(bytes, at);
    for (const { to, post } of posts) {
      at += this.#beginOf(to).copy(bytes, at);
      at += bytes.write(`${post.length}\r\n`, at, 'latin1');
      bytes.set(post, at);
      at += post.length;
      at += bytes.write('\r\n', at, 'latin1');
    }
    if (posts.length > 1) at += EXEC.copy(bytes, at);
    block.end = at;
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

/** Turns one after the other, as the connection is given them. */
interface Block {
  readonly bytes: Buffer;
  /** Up to here the connection may still read it. */
  end: number;
  unanswered: number;
}

const blockOf = (size: number): Block => ({ bytes: Buffer.allocUnsafeSlow(size), end: 0, unanswered: 0 });

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
