import type { UwsListenSocket, UwsModule } from '../uws-types.js';

/** Listens for all fronts, and deals the connections out to their apps in turn, before a byte of them is read. */
export class Acceptor {
  readonly #app;
  #listener: UwsListenSocket | null = null;
  port = 0;

  constructor(private readonly uws: UwsModule) {
    this.#app = uws.App();
    // Only for a moment in which there is no front: the client comes again.
    this.#app.any('/*', (response) => void response.close());
  }

  async listen(host: string, port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#app.listen(host, port, this.uws.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
        if (socket === false) return reject(new Error(`cannot listen on ${host}:${port}: address in use or not ours`));
        this.#listener = socket;
        this.port = this.uws.us_socket_local_port(socket);
        resolve();
      });
    });
  }

  add(descriptor: unknown): void {
    this.#app.addChildAppDescriptor(descriptor);
  }

  /** What was dealt out before may still arrive there for a moment. */
  remove(descriptor: unknown): void {
    this.#app.removeChildAppDescriptor(descriptor);
  }

  /** No more connections. */
  refuse(): void {
    if (this.#listener !== null) this.uws.us_listen_socket_close(this.#listener);
    this.#listener = null;
  }

  /** After the last front. */
  close(): void {
    this.#app.close();
  }
}
