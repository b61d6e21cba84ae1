import type { MessagePort, TransferListItem } from 'node:worker_threads';

/** What a reader is given: the post, and its number among all posts of the process (0 where they are not numbered). */
export type PostReader<T> = (post: T, at: number) => void;

/** How the threads of the process write to each other. */
export interface Channels {
  post(port: MessagePort, post: unknown, transfer?: readonly TransferListItem[]): void;
  listen<T>(port: MessagePort, read: PostReader<T>): void;
}

/** Ports as they are: enough where everybody hears everything over one port. */
export const plainChannels: Channels = {
  post: (port, post, transfer = []) => port.postMessage(post, transfer),
  listen: <T>(port: MessagePort, read: PostReader<T>) => void port.on('message', (post: T) => read(post, 0)),
};
