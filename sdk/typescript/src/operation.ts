/** The seam between the generated half of the REST client and the hand-written one. */

export interface Operation {
  /** The operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces. */
  readonly path: string;
  readonly auth: 'none' | 'agent' | 'owner' | 'admin' | 'optional';
  /** Names of the input that go there; all others are in the path. */
  readonly query: readonly string[];
  readonly body: readonly string[];
  /** Headers by the option that gives them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether asking twice does what asking once does. */
  readonly repeatable: 'always' | 'with_key' | 'never';
  /** Whether the answer is a file. */
  readonly file: boolean;
  readonly pages: {
    readonly by: 'cursor' | 'offset';
    /** The field of the answer that has the items; null: the answer is the list. */
    readonly items: string | null;
    /** The most that a page may hold. */
    readonly limit: number;
  } | null;
}

export interface CallOptions {
  /** Gives the call up. */
  signal?: AbortSignal | undefined;
  /** In ms, for each attempt; of a download until it begins. */
  timeoutMs?: number | undefined;
  /** Told of the answer's status and headers, such as the ETag that `ifMatch` takes. */
  onAnswer?: ((status: number, headers: Headers) => void) | undefined;
}

/** A file, piece by piece. Reading rejects where the connection breaks: then the file is not whole. */
export interface Download {
  readonly contentType: string;
  /** As the server names it; null where it does not. */
  readonly fileName: string | null;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** All of it. */
  text(): Promise<string>;
}
