import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import type { SocketId } from '../../table/api.js';
import { Bundle } from './bundle.js';
import type { FromFrontPost, FrontTask, ToFront } from './front-messages.js';
import type { LifeId } from '../../shard/channels.js';
import type { OrderedChannels } from '../../shard/fronts/ordered-channels.js';
import type { ShardPort } from '../../shard/wire.js';

export interface LifeOptions {
  /** The thread's module. */
  entry: URL;
  channels: OrderedChannels;
  /** Without what the life adds by itself. */
  task: Omit<FrontTask, 'port' | 'life'>;
  /** Called before each post: what was sent to shards until now shall have been posted. */
  beforePost: () => void;
  received: (life: FrontLife, post: FromFrontPost) => void;
  /** The thread is gone. */
  ended: (life: FrontLife, reason: string) => void;
}

/** The main thread's side of one life of a front's thread. */
export class FrontLife {
  readonly front: number;
  readonly id: LifeId;
  /** Its app, once it serves. */
  descriptor: unknown = null;
  /** It said that it fails, and was told that no connection comes any more. */
  failing = false;
  /** It was told to end. */
  ending = false;
  /** Open sockets, so that somebody can be told of them when the thread is gone. */
  readonly sockets = new Set<SocketId>();
  readonly #port: MessagePort;
  readonly #bundle: Bundle<ToFront>;
  readonly #gone: Promise<void>;

  constructor(private readonly options: LifeOptions) {
    const { channels, task, entry, beforePost, received, ended } = options;
    const { port1, port2 } = new MessageChannel();
    this.front = task.front;
    this.id = channels.newLife();
    this.#port = port1;
    this.#bundle = new Bundle((messages) => {
      beforePost();
      channels.post(port1, messages);
    });
    channels.listen(port1, this.id, (post: FromFrontPost) => received(this, post));
    const workerData: FrontTask = { ...task, port: port2, life: this.id };
    const worker = new Worker(entry, { workerData, transferList: [port2] });
    let reason = 'it ended';
    worker.on('error', (error) => (reason = error.message));
    this.#gone = new Promise((resolve) => {
      worker.on('exit', () => {
        port1.close();
        ended(this, reason);
        resolve();
      });
    });
  }

  send(message: ToFront): void {
    this.#bundle.add(message);
  }

  flush(): void {
    this.#bundle.flush();
  }

  connectShard(shard: ShardPort): void {
    this.flush();
    this.options.channels.post(this.#port, shard, [shard.port]);
  }

  /** Resolves when the thread is gone. */
  get gone(): Promise<void> {
    return this.#gone;
  }
}
