import { assert } from '../../ops/assert.js';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The header that signs a call from one node to another. */
export const SIGNATURE_HEADER = 'x-node-signature';

/** A call's time may differ so much from the time of the verifier, in ms. */
const WINDOW_MS = 30_000;
/** Two generations of nonces are kept, and each lasts twice the window: no nonce is forgotten while its time is good. */
const GENERATION_MS = 2 * WINDOW_MS;
/** Signed calls of one generation. A node that gets more refuses the rest. */
const MOST_NONCES = 1_000_000;

const NODE_ID = /^[A-Za-z0-9-]{1,64}$/;
const SIGNATURE = /^v1 ([A-Za-z0-9-]{1,64}) (\d{1,15}) ([A-Za-z0-9_-]{22}) ([A-Za-z0-9_-]{43})$/;

export interface SignaturesOptions {
  /** CLUSTER_SECRET. It never leaves the process. */
  secret: string;
  /** The id of this node. */
  nodeId: string;
  /** Time of the database, epoch ms. */
  now: () => number;
}

/** A call between nodes, as far as it is signed. `path` is the request target as sent. */
export interface SignedCall {
  method: string;
  path: string;
  body: Uint8Array;
}

interface Fields extends SignedCall {
  from: string;
  to: string;
  time: string;
  nonce: string;
}

/** Signs the calls of this node, and verifies the calls that come to it. */
export class Signatures {
  #fresh = new Set<string>();
  #old = new Set<string>();
  #freshSince = -Infinity;

  constructor(private readonly options: SignaturesOptions) {
    assert(options.secret !== '', 'calls between nodes need a secret');
    assert(NODE_ID.test(options.nodeId), 'not the id of a node', options.nodeId);
  }

  get nodeId(): string {
    return this.options.nodeId;
  }

  /** The value of SIGNATURE_HEADER for one call to a node. */
  sign(to: string, call: SignedCall): string {
    const { nodeId: from } = this.options;
    const time = String(Math.round(this.options.now()));
    assert(NODE_ID.test(to), 'not the id of a node', to);
    assert(call.path.startsWith('/'), 'a call has a path', call.path);
    const nonce = randomBytes(16).toString('base64url');
    const mac = this.#mac({ ...call, from, to, time, nonce }).toString('base64url');
    return `v1 ${from} ${time} ${nonce} ${mac}`;
  }

  /** The id of the node that signed the call for this one. Null: nobody did, or the call came before. */
  verify(header: string, call: SignedCall): string | null {
    const [, from, time, nonce, mac] = SIGNATURE.exec(header) ?? [];
    if (from === undefined || time === undefined || nonce === undefined || mac === undefined) return null;
    const expected = this.#mac({ ...call, from, to: this.options.nodeId, time, nonce });
    const given = Buffer.from(mac, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const now = this.options.now();
    if (Math.abs(now - Number(time)) > WINDOW_MS) return null;
    return this.#takeNonce(`${from} ${nonce}`, now) ? from : null;
  }

  /** JSON keeps the fields apart, whatever they contain. */
  #mac({ method, path, body, from, to, time, nonce }: Fields): Buffer {
    const digest = createHash('sha256').update(body).digest('hex');
    const fields = JSON.stringify([method, path, from, to, time, nonce, digest]);
    return createHmac('sha256', this.options.secret).update(fields).digest();
  }

  /** False: this nonce counted before. */
  #takeNonce(nonce: string, now: number): boolean {
    if (now - this.#freshSince >= GENERATION_MS) {
      this.#old = now - this.#freshSince < 2 * GENERATION_MS ? this.#fresh : new Set();
      this.#fresh = new Set();
      this.#freshSince = now;
    }
    if (this.#fresh.has(nonce) || this.#old.has(nonce) || this.#fresh.size >= MOST_NONCES) return false;
    this.#fresh.add(nonce);
    return true;
  }
}
