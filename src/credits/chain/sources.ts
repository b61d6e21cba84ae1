import { Detail, HttpError } from '../../protocol/rest/errors.js';
import type { Queryable } from '../../store/database.js';
import { hasProof, selectSenders } from '../wallets/queries.js';
import type { Chain, Mined } from './chain.js';
import { selectWallet, type DepositRow } from './deposit-queries.js';
import { ownAddresses } from './own-addresses.js';
import { sentTo, type Sent } from './qualifying.js';

export interface SourceRules {
  /** off: the registered wallet is believed; for a chain where nobody is to be distrusted. */
  proof: 'required' | 'off';
  /** The operator's own addresses, beside the treasuries and the token. */
  funding: readonly string[];
}

/** A transfer that an agent may claim. */
export interface Claimable extends Sent {
  /** Null where proofs are off. */
  proofId: number | null;
}

/** The owner of incoming money: decides the claims that an agent may make on a transaction. */
export class Sources {
  readonly #funding: readonly string[];

  constructor(
    private readonly sql: Queryable,
    private readonly chain: Pick<Chain, 'token' | 'treasury'>,
    private readonly rules: SourceRules,
  ) {
    this.#funding = rules.funding.map((address) => address.toLowerCase());
  }

  /** Throws HttpError 400 for an agent that has no wallet at all. */
  async requireWallet(agentId: string): Promise<void> {
    if ((await selectWallet(this.sql, agentId)) !== null || (await hasProof(this.sql, agentId))) return;
    throw new HttpError(400, Detail.walletNotSet);
  }

  /**
   * The sum that the agent may claim. A wallet's transfers are its agent's from the proof on; those before, too, unless
   * the wallet was ever another's. `taken` are the transaction's deposits. Throws HttpError 400 or 403 where there is
   * nothing.
   */
  async claimable(agentId: string, mined: Mined, taken: readonly DepositRow[]): Promise<Claimable[]> {
    const sent = sentTo(this.chain.treasury, mined, await this.#never());
    const rows = await selectSenders(
      this.sql,
      agentId,
      sent.map(({ from }) => from),
    );
    const known = new Map(rows.map((row) => [row.address, row]));
    const believed = this.rules.proof === 'off' ? await selectWallet(this.sql, agentId) : null;
    const mine = sent.flatMap((each): Claimable[] => {
      const { proof_id: proofId, proven_block: since, ever_of_another: everAnothers } = known.get(each.from)!;
      if (proofId === null) return each.from === believed ? [{ ...each, proofId }] : [];
      return !everAnothers || mined.blockNumber > since! ? [{ ...each, proofId }] : [];
    });
    if (mine.length > 0 || taken.some(({ agent_id: of }) => of === agentId)) return mine;
    const free = sent.filter(({ from }) => !taken.some(({ wallet }) => wallet === from));
    if (free.length === 0 && sent.length > 0) throw new HttpError(400, Detail.alreadyCredited);
    const unproven = free.some(({ from }) => known.get(from)?.proof_id === null && !known.get(from)?.of_another);
    if (unproven && this.rules.proof === 'required') throw new HttpError(403, Detail.proveFirst);
    throw new HttpError(400, Detail.noTransfer);
  }

  async #never(): Promise<ReadonlySet<string>> {
    return new Set([...this.#funding, ...(await ownAddresses(this.sql, this.chain))]);
  }
}
