import { receiveMessageOnPort, type MessagePort, type TransferListItem } from 'node:worker_threads';

/** What a reader is given: the post, and its number among all posts of the process (0 where they are not numbered). */
export type Reader<T> = (post: T, at: number) => void;

/** How the threads of the process write to each other. */
export interface Mail {
  post(port: MessagePort, post: unknown, transfer?: readonly TransferListItem[]): void;
  listen<T>(port: MessagePort, read: Reader<T>): void;
}

/** Ports as they are: enough where everybody hears everything over one port. */
export const plainMail: Mail = {
  post: (port, post, transfer = []) => port.postMessage(post, transfer),
  listen: <T>(port: MessagePort, read: Reader<T>) => void port.on('message', (post: T) => read(post, 0)),
};

interface Letter {
  at: number;
  post: unknown;
}

interface Inbox {
  port: MessagePort;
  read: Reader<never>;
}

/**
 * Mail among more than two threads, read in causal order. Ports keep the order of one writer only: what thread A wrote
 * to C, and then B because of something A told it, may be read the other way round. So each post carries a number from
 * one counter of the process, and a reader that is woken takes what lies at all its ports and reads it by number. What
 * came about through a post was numbered and posted after it, so it is never read before. (Ports are looked at one after
 * the other, so the round is repeated until one finds nothing: what led to the last find lay there before it.)
 *
 * The counter is the one thing that threads share; no state of a game is in it.
 */
export class OrderedMail implements Mail {
  readonly #counter: BigInt64Array;
  readonly #inboxes: Inbox[] = [];

  constructor(readonly shared = new SharedArrayBuffer(8)) {
    this.#counter = new BigInt64Array(shared);
  }

  /** A number above all that were taken before it. */
  number(): number {
    return Number(Atomics.add(this.#counter, 0, 1n)) + 1;
  }

  /** `at`: a number that was taken for this post; the numbers of one port must rise. */
  post(port: MessagePort, post: unknown, transfer: readonly TransferListItem[] = [], at = this.number()): void {
    port.postMessage({ at, post } satisfies Letter, transfer);
  }

  listen<T>(port: MessagePort, read: Reader<T>): void {
    const inbox: Inbox = { port, read };
    this.#inboxes.push(inbox);
    port.on('message', (letter: Letter) => this.#woken(inbox, letter));
    port.on('close', () => {
      const place = this.#inboxes.indexOf(inbox);
      if (place >= 0) this.#inboxes.splice(place, 1);
    });
  }

  #woken(first: Inbox, letter: Letter): void {
    const letters = [{ ...letter, inbox: first }];
    for (let before = 0; before < letters.length;) {
      before = letters.length;
      for (const inbox of this.#inboxes) {
        for (let more = take(inbox); more !== undefined; more = take(inbox)) letters.push({ ...more, inbox });
      }
    }
    if (letters.length > 1) letters.sort((a, b) => a.at - b.at);
    for (const { inbox, post, at } of letters) inbox.read(post as never, at);
  }
}

const take = ({ port }: Inbox) => (receiveMessageOnPort(port) as { message: Letter } | undefined)?.message;
