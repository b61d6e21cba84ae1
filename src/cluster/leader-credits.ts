import type { Static } from 'typebox';
import { Exchange, noHeaders } from '../gateway/exchange.js';
import type { CreditsHealth } from '../ops/health.js';
import type { Health } from '../protocol/rest/health.js';
import type { Forwarder } from './wire/forwarder.js';

/** The credits in the /health of the leader, which alone pays and looks at the books. */
export class LeaderCredits {
  #known: CreditsHealth | null = null;

  constructor(
    private readonly forwarder: Pick<Forwarder, 'forward'>,
    private readonly leader: () => Promise<string | null>,
  ) {}

  /** Without a leader that answers, nothing is paid, and the books are as they were known last. Null: never. */
  async ask(): Promise<CreditsHealth | null> {
    try {
      const leader = await this.leader();
      if (leader !== null) return (this.#known = await this.#askNode(leader));
    } catch {
      // The database or the leader is away, and /health says so by `paying`.
    }
    return this.#known && { ...this.#known, paying: false };
  }

  async #askNode(leader: string): Promise<CreditsHealth> {
    const question = new Exchange({ method: 'GET', path: '/health', query: '', remote: '', headers: noHeaders() });
    const { status, body } = await this.forwarder.forward(leader, question, null);
    if (status !== 200) throw new Error(`the leader answered ${status}`);
    const health = JSON.parse(String(body)) as Static<typeof Health>;
    const { deposits_pending: pending, withdrawal, financial_reconciliation: books } = health;
    return { pending, paying: withdrawal.running, books };
  }
}
