import { setTimeout as sleep } from 'node:timers/promises';
import { EarlyWords } from '../nodes/early-words.js';
import type { Member } from '../nodes/member.js';
import type { NodeMessage } from '../nodes/node-messages.js';
import type { BreakReason, Peer } from '../nodes/peer.js';
import type { Logger } from '../ops/log.js';
import { isConnectionError } from '../store/database.js';
import type { Lead } from './lead.js';
import type { Life } from './life.js';

/** How often a node looks who leads, and while none serves it. */
const LOOK_MS = 500;
const LOOK_SOON_MS = 100;
/** A leader that stops waits so long for the next one, where there is another node, before it gives its tables back. */
const SUCCESSION_MS = 3000;
/** What a leader does and has ends within so long, where others ended it; else its process does. */
const END_MS = 8000;

export interface SuccessionOptions {
  log: Logger;
  fatal: (error: Error) => void;
  /** The present life; null between two. */
  life: () => Life | null;
  /** What this node leads with in that life, not started yet. */
  lead: (life: Life, early: EarlyWords) => Lead;
}

/**
 * Who leads, over all lives of a process: it looks, follows whoever does, and where nobody does any more it leads itself,
 * beside all that a node is.
 */
export class Succession {
  /** Of nodes that saw the claim before its answer was here, or that the lead cannot hear yet. */
  readonly #early: EarlyWords;
  #lead: Lead | null = null;
  /** An attempt to lead. */
  #claim: Promise<void> | null = null;
  #looking = false;
  #timer: NodeJS.Timeout | undefined;
  #stopping = false;
  #databaseAnswers = true;

  constructor(private readonly options: SuccessionOptions) {
    this.#early = new EarlyWords(options.log);
  }

  /** What this node leads with; null where it does not. */
  get lead(): Lead | null {
    return this.#lead;
  }

  /** The database answered when it was asked last who leads. */
  get databaseAnswers(): boolean {
    return this.#databaseAnswers;
  }

  /** From now on it looks who leads. */
  begin(): void {
    clearTimeout(this.#timer);
    if (this.#stopping) return;
    const isServed = this.#lead !== null || this.options.life()?.member.leaderWay.serves === true;
    this.#timer = setTimeout(() => void this.#look(), isServed ? LOOK_MS : LOOK_SOON_MS);
  }

  /** The leader is not heard any more: it may be dead. */
  lookNow(): void {
    if (this.#looking || this.#stopping) return;
    clearTimeout(this.#timer);
    void this.#look();
  }

  /** Leads from now on: the claim is made. */
  async leads(life: Life): Promise<void> {
    this.#lead = this.options.lead(life, this.#early);
    await this.#lead.start();
  }

  // ---- what a leader hears of the bus

  /** A node that nobody asked for. */
  knocked(id: string): void {
    this.#lead?.knocked(id);
  }

  healed(peer: Peer<NodeMessage>): void {
    this.#lead?.healed(peer);
  }

  broken(peer: Peer<NodeMessage>, why: BreakReason): void {
    this.#early.forget(peer);
    this.#lead?.broken(peer, why);
  }

  /** Whether the message is for whoever leads: then it is heard, or kept for when it can be. */
  hears(peer: Peer<NodeMessage>, message: NodeMessage): boolean {
    if (this.#lead === null) return this.#early.keeps(peer, message);
    this.#lead.message(peer, message);
    return true;
  }

  // ---- ends

  /** Others lead: what this node led with, to be ended, is not its lead any more. */
  displaced(): void {
    this.#lead = null;
  }

  /** The life is over, and its bus: what was said on it is for nobody any more. */
  lifeEnded(): void {
    this.#early.clear();
  }

  /** It looks no more, and leads no more than it does once this has resolved. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    await this.#claim;
  }

  /** Resolves to whether there is another node that could lead. */
  async resign(): Promise<boolean> {
    const lead = this.#lead;
    if (lead === null) return this.options.life()?.member.leaderWay.serves === true;
    const others = await lead.stop();
    this.#lead = null;
    return others;
  }

  /** Waits until another leads, a while at most: it takes the tables of this node. */
  async succeeded(member: Member): Promise<void> {
    const end = performance.now() + SUCCESSION_MS;
    while (performance.now() < end && !member.leaderWay.serves) {
      // A database that does not answer now is asked again, and the lease tells of it.
      const leading = await this.options
        .life()
        ?.node.leading()
        .catch(() => null);
      if (leading !== null && leading !== undefined && leading.lives) member.follow(leading.nodeId);
      await sleep(100);
    }
    if (!member.leaderWay.serves)
      this.options.log.warn({}, 'no other node leads yet: tables stay here until this node ends');
  }

  async #look(): Promise<void> {
    const { life: present } = this.options;
    const life = present();
    this.#looking = true;
    try {
      if (life === null || this.#lead !== null) return;
      const leading = await life.node.leading();
      this.#databaseAnswers = true;
      if (life !== present() || this.#lead !== null) return;
      const lives = leading !== null && leading.lives;
      if (lives) this.#early.clear();
      life.member.follow(lives ? leading.nodeId : null);
      // Whether it is dead, or merely looks so, the claim finds out.
      if (!lives || leading.silent || leading.lapsed)
        this.#claim ??= this.#succeed(life).finally(() => (this.#claim = null));
    } catch {
      // Who leads is not known until it does.
      if (life === present()) this.#databaseAnswers = false;
    } finally {
      this.#looking = false;
      this.begin();
    }
  }

  /** Leads from now on, if nobody else does. */
  async #succeed(life: Life): Promise<void> {
    const { log, fatal } = this.options;
    try {
      if (this.#stopping || !(await life.node.claim())) return;
      if (this.#stopping) return await life.node.resign();
      log.info({ node: life.node.id }, 'nobody leads any more: this node does');
      await this.leads(life);
    } catch (error) {
      const lead = this.#lead;
      // A claim that fails for now is made again; a leader that cannot start must go, unless it is the database that is away.
      if (lead === null) log.warn({ error: (error as Error).message }, 'this node could not take the lead');
      else if (isConnectionError(error)) await this.#yields(life, lead, error as Error);
      else fatal(error as Error);
    }
  }

  /** The database went away before the lead began: sockets and hands go on, and whoever reaches it first leads. */
  async #yields({ node }: Life, lead: Lead, { message }: Error): Promise<void> {
    const { log, fatal } = this.options;
    log.warn({ error: message }, 'the database went away as this node began to lead: it does not');
    // What others say from now on, who may find it to lead again, is for its next lead.
    this.#lead = null;
    lead.quit();
    // From here on it knows that it does not; where the database does not hear of it, it is to claim again.
    const resigned = node.resign().catch((error: unknown) => {
      log.warn({ error: (error as Error).message }, 'the lead could not be given up: it is claimed again');
    });
    try {
      await endInTime(lead);
    } catch (error) {
      fatal(error as Error);
    }
    await resigned;
  }
}

/** Ends what a process led with; rejects where that takes so long that all of the process has to end. */
export async function endInTime(lead: Lead): Promise<void> {
  const ended = lead.end().then(() => true);
  if (await Promise.race([ended, sleep(END_MS, false, { ref: false })])) return;
  throw new Error(`what this process led with did not end within ${END_MS} ms: all of it ends`);
}
