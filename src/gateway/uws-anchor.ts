import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { UwsApp, UwsListenSocket, UwsModule, UwsResponse } from './uws-types.js';

const HOST = '127.0.0.1';

/**
 * A connection of the thread to itself, with a request that is never answered: something to cork where nobody else is
 * connected. Nothing is opened before it is asked for, and the port is open only until the connection is there.
 */
export class Anchor {
  /** Tells our request from those of others on this machine. */
  readonly #path = `/${randomBytes(16).toString('hex')}`;
  #app: UwsApp | null = null;
  #client: Socket | null = null;
  #response: UwsResponse | null = null;
  #opening: Promise<void> | null = null;
  #closed = false;

  constructor(private readonly uws: UwsModule) {}

  /** Resolves once the connection is there, or cannot be had. */
  open(): Promise<void> {
    if (this.#closed || this.#response !== null) return Promise.resolve();
    this.#opening ??= this.#open().finally(() => (this.#opening = null));
    return this.#opening;
  }

  /** Null while there is none. */
  get connection(): UwsResponse | null {
    return this.#response;
  }

  close(): void {
    this.#closed = true;
    this.#drop();
  }

  #open(): Promise<void> {
    return new Promise((resolve) => {
      const app = this.uws.App();
      this.#app = app;
      let listener: UwsListenSocket | null = null;
      app.any('/*', (response, request) => {
        response.onAborted(() => this.#aborted(response));
        if (request.getUrl() !== this.#path) return void response.close();
        this.#response = response;
        if (listener !== null) this.uws.us_listen_socket_close(listener);
        resolve();
      });
      app.listen(HOST, 0, this.uws.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
        if (socket === false) return resolve();
        listener = socket;
        this.#client = connect(this.uws.us_socket_local_port(socket), HOST);
        // Without us it keeps nobody running; what ends it shows on the other side.
        this.#client.unref().on('error', () => undefined);
        this.#client.once('close', () => {
          this.#drop();
          resolve();
        });
        this.#client.write(`GET ${this.#path} HTTP/1.1\r\nhost: own\r\n\r\n`);
      });
    });
  }

  #aborted(response: UwsResponse): void {
    if (response === this.#response) this.#response = null;
  }

  #drop(): void {
    this.#client?.destroy();
    this.#client = null;
    this.#response = null;
    this.#app?.close();
    this.#app = null;
  }
}
