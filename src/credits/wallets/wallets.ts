import { randomUUID } from 'node:crypto';
import { Detail, HttpError } from '../../protocol/rest/errors.js';
import { transaction, type Database } from '../../store/database.js';
import type { Chain } from '../chain/chain.js';
import { asking, type AskingLog } from '../chain/asking.js';
import { ownAddresses } from '../chain/own-addresses.js';
import { lockAgent } from '../chain/withdrawal-queries.js';
import { checksummed } from './address.js';
import type { WalletChanges } from './change.js';
import { challengeText } from './message.js';
import * as queries from './queries.js';

export interface WalletsOptions {
  sql: Database;
  chain: Chain;
  /** Epoch ms. */
  now?: () => number;
  /** Our address as people reach it; asked when a challenge is written. */
  publicUrl: () => string;
  /** There may be a mail to be sent. */
  emailQueued?: () => void;
  /** A wallet that is proven first is the one to withdraw to. */
  walletChanges: WalletChanges;
  log: AskingLog;
}

/** A proof, and until when withdrawals wait where the wallet is the one to withdraw to from now on. */
export interface Proven {
  proof: queries.ProofRow;
  heldUntil: Date | null;
}

/** The owners of wallets: an agent proves a wallet by a signature over our text. */
export class Wallets {
  constructor(private readonly options: WalletsOptions) {}

  /** A text to be signed by the wallet. Throws HttpError 400 for an address with a wrong checksum. */
  async challenge({ agentId, name }: { agentId: string; name: string }, given: string) {
    const { sql, chain, publicUrl, now = Date.now } = this.options;
    const address = checksummed(given);
    const asked = { address, agentId, name, chainId: chain.chainId, publicUrl: publicUrl(), now: new Date(now()) };
    const { message, expiresAt } = challengeText(asked);
    await queries.insertChallenge(sql, { challengeId: randomUUID(), agentId, address, message, expiresAt });
    return { message, expiresAt };
  }

  /**
   * Takes a signed challenge as proof. It is the agent's wallet for withdrawals, too, where it has none. Throws
   * HttpError 400 (wrong, used or too late), 409 (another agent's) or 503 (no word from the chain, which knows contract
   * wallets).
   */
  async prove(agentId: string, message: string, signature: string, ip: string | null = null): Promise<Proven> {
    const { sql, chain, log, emailQueued, walletChanges } = this.options;
    const challenge = await queries.selectChallenge(sql, agentId, message);
    if (challenge === undefined) throw new HttpError(400, Detail.proofInvalid);
    const { address, challenge_id: id } = challenge;
    const { block, valid } = await asking(log, async () => {
      await chain.check();
      // The height first: what is mined while the signature is looked at counts as sent afterwards.
      const block = await chain.height();
      return { block, valid: await chain.hasSigned(address, message, signature) };
    });
    if (!valid) throw new HttpError(400, Detail.proofInvalid);
    const proven = await transaction(sql, async (tx) => {
      await lockAgent(tx, agentId);
      if (!(await queries.takeChallenge(tx, id))) throw new HttpError(400, Detail.proofInvalid);
      const proof = await queries.insertProof(tx, { address, agentId, block });
      if (proof.agent_id !== agentId) throw new HttpError(409, Detail.walletProven);
      // It may be proven, but nothing is paid to it.
      const own = await ownAddresses(tx, chain);
      const named = own.has(address.toLowerCase()) ? undefined : await queries.nameFirstWallet(tx, agentId, address);
      if (named === undefined) return { proof, heldUntil: null };
      return {
        proof,
        heldUntil: await walletChanges.changed(tx, { ...named, agentId, from: null, to: address }, { ip }),
      };
    });
    emailQueued?.();
    return proven;
  }
}
