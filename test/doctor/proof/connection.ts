/** The connection as a bot uses it. */
export interface ProofConnection {
  readonly connecting: boolean;
  /** Sends nothing where it is not open. */
  send(text: string): void;
  end(): void;
}

/** The events of the connection that a bot hears. */
export interface Hears {
  /** It may speak. The server has not welcomed it yet. */
  opened?: () => void;
  error: (message: string) => void;
  text: (text: string) => void;
  /** With the code of the close frame, 1005 for one without a code, 1006 where there was none. */
  closed: (code: number) => void;
}
