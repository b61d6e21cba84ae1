import { JSON_HEADERS } from '../gateway/answer-headers.js';
import type { Answerer } from '../gateway/ports.js';
import { ForwardedAsks } from './forward.js';
import type { Registry, ResumedSocket } from '../gateway/ports.js';
import { isQuestion } from '../gateway/unanswered.js';
import type { SocketHub } from '../gateway/sockets.js';
import type { HttpAnswer, HttpRequest } from '../gateway/transport.js';
import { Detail } from '../protocol/rest/errors.js';
import type { FromMember, NodeMessage, ToMember } from './node-messages.js';
import type { Peer } from './peer.js';

/** What is asked of a node that reaches no leader: the client comes again, here or elsewhere. */
export const NO_LEADER: HttpAnswer = {
  status: 503,
  headers: { ...JSON_HEADERS, 'retry-after': '1' },
  body: JSON.stringify({ detail: Detail.databaseAway }),
};

const BROKE = 'the link to the leader broke';
/** Sockets in one message. */
const PORTION = 500;
/** What is kept for the next leader of what sockets say to it. */
const MOST_HELD = 10_000;

type Held = Extract<FromMember, { t: 'message' | 'watching' | 'mishap' }>;

/**
 * What a node's sockets say to whoever leads, and ask of it. While nobody does, it is kept: the sockets stay open, and the
 * next leader is told of each (`resumed`), before what they said meanwhile.
 */
export class LeaderWay {
  /** A leader that serves us: another process, or this one. */
  #peer: Peer<NodeMessage> | null = null;
  #own: { registry: Registry; answerer: Answerer; peer: Peer<NodeMessage> } | null = null;
  #asks: ForwardedAsks | null = null;
  #held: Held[] = [];

  constructor(
    private readonly hub: () => SocketHub,
    /** Tables for which messages are held, as a leader before has asked. */
    private readonly holding: () => readonly string[],
  ) {}

  /** Somebody leads, and takes what is said. */
  get serves(): boolean {
    return this.#peer !== null || this.#own !== null;
  }

  /** The leader takes what sockets say from now on. */
  begin(peer: Peer<NodeMessage>): void {
    this.#peer = peer;
    this.#asks = new ForwardedAsks((message) => this.#send(message as FromMember));
    const { resumed, arriving } = this.#open();
    for (let at = 0; at < resumed.length; at += PORTION) {
      peer.send({ t: 'resumed', sockets: resumed.slice(at, at + PORTION) });
    }
    for (const { socket, hello } of arriving) peer.send({ t: 'opened', socket, hello });
    for (const message of this.#held.splice(0)) peer.send(message);
    this.#met(peer);
  }

  /** All is said of before. A leader knows of what the one before it had begun to move only by those who hold for it. */
  #met(peer: Peer<NodeMessage>): void {
    for (const table of this.holding()) peer.send({ t: 'holds', table });
    peer.send({ t: 'met' });
  }

  /** This process leads from now on: nothing has to cross. */
  lead(peer: Peer<NodeMessage>, registry: Registry, answerer: Answerer): void {
    const { resumed, arriving } = this.#open();
    this.#own = { peer, registry, answerer };
    registry.resumed(resumed);
    for (const { socket, hello } of arriving) registry.opened(socket, hello);
    for (const message of this.#held.splice(0)) {
      if (message.t === 'watching') registry.watching(message.socket, message.hello);
      else if (message.t === 'mishap') registry.mishap(message.agentId, message.mishap);
      else registry.message(message.socket, message.agentId, message.message);
    }
    this.#met(peer);
  }

  /** Nobody leads any more, as far as is known here, or the link to whoever does broke. */
  end(): void {
    // What was said since the last leader is kept, and nobody has to say it again.
    if (this.serves) this.hub().endUnheard();
    this.#peer = this.#own = null;
    this.#asks?.abandon(NO_LEADER, BROKE);
    this.#asks = null;
    // A leader knows of spectators what they asked it: the next one knows of none.
    this.hub().endWatchers();
  }

  answered(message: Extract<ToMember, { t: 'answer' | 'chunk' | 'broken' }>): void {
    if (message.t === 'answer') this.#asks?.answered(message);
    else if (message.t === 'chunk') this.#asks?.chunk(message);
    else this.#asks?.broken(message);
  }

  async request(request: HttpRequest): Promise<HttpAnswer> {
    return this.#own?.answerer.http(request) ?? this.#asks?.request(request) ?? NO_LEADER;
  }

  /** Null: the address may open a socket. */
  async admit(ip: string, key: string | null, watch: boolean): Promise<HttpAnswer | null> {
    if (this.#own !== null) return this.#own.answerer.admit(ip, key, watch);
    return this.#asks === null ? NO_LEADER : this.#asks.admit(ip, key, watch);
  }

  /** Something for a shard of which the leader alone may know where it is. */
  stray(message: Extract<FromMember, { t: 'toShard' }>): void {
    (this.#own?.peer ?? this.#peer)?.send(message);
  }

  readonly registry: Registry = {
    // Who opens or closes while nobody leads is told to the next leader, or not there by then.
    opened: (socket, hello) => {
      if (this.#own !== null) this.#own.registry.opened(socket, hello);
      else this.#send({ t: 'opened', socket, hello });
    },
    closed: (socket, agentId, end) => {
      if (this.#own !== null) this.#own.registry.closed(socket, agentId, end);
      else this.#send({ t: 'closed', socket, agentId, end });
    },
    resumed: () => undefined,
    watching: (socket, hello) => {
      if (this.#own !== null) this.#own.registry.watching(socket, hello);
      else this.#say({ t: 'watching', socket, hello });
    },
    message: (socket, agentId, message) => {
      if (this.#own !== null) return this.#own.registry.message(socket, agentId, message);
      // Questions that are not answered are told with the socket.
      if (this.#peer !== null || !isQuestion(message)) this.#say({ t: 'message', socket, agentId, message });
    },
    mishap: (agentId, mishap) => {
      if (this.#own !== null) this.#own.registry.mishap(agentId, mishap);
      else this.#say({ t: 'mishap', agentId, mishap });
    },
  };

  #open(): { resumed: ResumedSocket[]; arriving: ReturnType<SocketHub['arriving']> } {
    const hub = this.hub();
    return { resumed: hub.resumable(), arriving: hub.arriving() };
  }

  #say(message: Held): void {
    if (this.#peer !== null) this.#peer.send(message);
    else if (this.#held.length < MOST_HELD) this.#held.push(message);
  }

  #send(message: FromMember): void {
    this.#peer?.send(message);
  }
}
