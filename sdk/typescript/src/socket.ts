/** A WebSocket as the connection sees it, whoever makes it. */

/** The API key, which goes into a header, or a bot token. */
export type Credential = { readonly key: string } | { readonly token: string };

export interface SocketEnd {
  /** The close code; 1006 where there was none, 0 where no connection was made. */
  readonly code: number;
  readonly text: string;
  /** The status of a refused upgrade, if it is known. */
  readonly status: number | null;
  readonly retryAfterMs: number | null;
}

export interface SocketEvents {
  open(): void;
  text(text: string): void;
  pong(): void;
  /** Once, and last. */
  closed(end: SocketEnd): void;
}

export interface Socket {
  send(text: string): void;
  /** Null where the platform pings by itself, or not at all. */
  readonly ping: (() => void) | null;
  /** Says goodbye. */
  close(): void;
  /** Ends it without a word. */
  abandon(): void;
}

/** `protocols`: what is offered beside the credential; the server takes the first that it knows. */
export type OpenSocket = (
  url: string,
  credential: Credential,
  protocols: readonly string[],
  events: SocketEvents,
) => Socket;
