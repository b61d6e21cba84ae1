import type { MessagePort, TransferListItem } from 'node:worker_threads';

/** A thread's life: a number that no other life of the process has. */
export type LifeId = number;

/** The main thread's. */
export const MAIN_LIFE: LifeId = 0;

export type PostReader<T> = (post: T) => void;

/** How the threads of the process write to each other. */
export interface Channels {
  post(port: MessagePort, post: unknown, transfer?: readonly TransferListItem[]): void;
  /** `peer`: whose posts come from there, and who reads what is posted there. */
  listen<T>(port: MessagePort, peer: LifeId, read: PostReader<T>): void;
}

/** Ports as they are: enough where everybody hears everything over one port. */
export const plainChannels: Channels = {
  post: (port, post, transfer = []) => port.postMessage(post, transfer),
  listen: <T>(port: MessagePort, _peer: LifeId, read: PostReader<T>) => void port.on('message', read),
};
