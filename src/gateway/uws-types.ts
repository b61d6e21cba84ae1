/** The part of µWebSockets.js (v20) in use; its packages carry no declarations. */

/** Native handle of a listening socket. */
export interface UwsListenSocket {
  readonly __listenSocket: unique symbol;
}

/** Native handle needed to finish an upgrade. */
export interface UwsContext {
  readonly __context: unique symbol;
}

/** Valid during the handler's synchronous part only. */
export interface UwsRequest {
  getMethod(): string;
  getUrl(): string;
  getQuery(): string | undefined;
  getHeader(lowerCaseName: string): string;
  forEach(visit: (name: string, value: string) => void): void;
  /** True: the next route that fits shall have it. */
  setYield(yields: boolean): void;
}

/** Valid until aborted, or until the answer ended. */
export interface UwsResponse {
  writeStatus(status: string): UwsResponse;
  writeHeader(name: string, value: string): UwsResponse;
  /** Chunked encoding; false: it is buffered, wait for onWritable. */
  write(chunk: string | Uint8Array): boolean;
  end(body?: string | Uint8Array, closeConnection?: boolean): UwsResponse;
  /** Writes no Content-Length where it is undefined. */
  endWithoutBody(length?: number, closeConnection?: boolean): UwsResponse;
  /** Writes as much as is taken at once: whether all of it was, and whether the answer of so many bytes is whole. */
  tryEnd(body: string | Uint8Array, size: number): [boolean, boolean];
  /** Ends the connection at once; onAborted runs. */
  close(): UwsResponse;
  onWritable(handler: (offset: number) => boolean): UwsResponse;
  onAborted(handler: () => void): UwsResponse;
  /** The chunk is valid during the call only. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): UwsResponse;
  cork(write: () => void): UwsResponse;
  getRemoteAddressAsText(): ArrayBuffer;
  upgrade<T>(userData: T, key: string, protocol: string, extensions: string, context: UwsContext): void;
}

/** Valid until its close handler ran; any call after that throws. */
export interface UwsWebSocket<T> {
  /** 1: sent, 0: sent but partly buffered, 2: dropped because the buffer is beyond maxBackpressure. */
  send(frame: string | Uint8Array, isBinary: boolean): 0 | 1 | 2;
  getBufferedAmount(): number;
  /** Sends a close frame; the close handler runs before this returns. */
  end(code: number, reason: string): void;
  /** Drops the connection; the close handler runs before this returns. */
  close(): void;
  cork(write: () => void): UwsWebSocket<T>;
  ping(): 0 | 1 | 2;
  subscribe(topic: string): boolean;
  unsubscribe(topic: string): boolean;
  getUserData(): T;
}

export interface UwsBehavior<T> {
  maxPayloadLength: number;
  /** Seconds, 8 to 960. */
  idleTimeout: number;
  sendPingsAutomatically: boolean;
  maxBackpressure: number;
  closeOnBackpressureLimit: boolean;
  compression: number;
  upgrade(response: UwsResponse, request: UwsRequest, context: UwsContext): void;
  open(socket: UwsWebSocket<T>): void;
  /** The message is valid during the call only. */
  message(socket: UwsWebSocket<T>, message: ArrayBuffer, isBinary: boolean): void;
  /** The library has answered it. */
  ping?(socket: UwsWebSocket<T>): void;
  pong?(socket: UwsWebSocket<T>): void;
  close(socket: UwsWebSocket<T>, code: number, reason: ArrayBuffer): void;
}

export interface UwsApp {
  /** Called with 1 when a connection has opened, with -1 when one that still speaks HTTP has ended. */
  filter(handler: (response: UwsResponse, count: number) => void): UwsApp;
  any(pattern: string, handler: (response: UwsResponse, request: UwsRequest) => void): UwsApp;
  ws<T>(pattern: string, behavior: UwsBehavior<T>): UwsApp;
  /** To all sockets of the app that subscribe; batched until the end of this turn of the event loop. */
  publish(topic: string, message: string | Uint8Array, isBinary: boolean): boolean;
  listen(host: string, port: number, options: number, done: (socket: UwsListenSocket | false) => void): UwsApp;
  /** Closes every socket of the app, listening ones included. */
  close(): UwsApp;
  /** Names the app to an acceptor in another thread. */
  getDescriptor(): unknown;
  /** Deals the connections that this app accepts out to that one too; with any such app it keeps none itself. */
  addChildAppDescriptor(descriptor: unknown): UwsApp;
  removeChildAppDescriptor(descriptor: unknown): UwsApp;
}

export interface UwsModule {
  App(): UwsApp;
  us_listen_socket_close(socket: UwsListenSocket): void;
  us_socket_local_port(socket: UwsListenSocket): number;
  /** Fail when the port is taken instead of sharing it. */
  LIBUS_LISTEN_DEFAULT: number;
  LIBUS_LISTEN_EXCLUSIVE_PORT: number;
  DISABLED: number;
}
