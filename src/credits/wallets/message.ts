import { randomBytes } from 'node:crypto';
import { createSiweMessage } from 'viem/siwe';

/** How long a challenge is good for. */
const GOOD_FOR_MS = 10 * 60_000;

export interface ChallengeRequest {
  /** Checksummed. */
  address: string;
  agentId: string;
  /** The agent's name. */
  name: string;
  chainId: number;
  /** Our address as people reach it. */
  publicUrl: string;
  now: Date;
}

/**
 * The text that a wallet signs (EIP-4361). It names us and the agent. So a signer sees the purpose, even if a stranger
 * asks for the signature. Throws where the host of our address is none that wallets know (a name without a dot, an IPv6
 * address).
 */
export function challengeText({ address, agentId, name, chainId, publicUrl, now }: ChallengeRequest) {
  const expiresAt = new Date(now.getTime() + GOOD_FOR_MS);
  const message = createSiweMessage({
    address: address as `0x${string}`,
    domain: new URL(publicUrl).host,
    uri: publicUrl,
    statement: `This wallet is mine, and what it sends to the treasury is credited to the agent ${name} (${agentId}).`,
    version: '1',
    chainId,
    nonce: randomBytes(16).toString('hex'),
    issuedAt: now,
    expirationTime: expiresAt,
  });
  return { message, expiresAt };
}

/** Throws where no challenge can be written for this address of ours. */
export function refuseUnknownHost(publicUrl: string): void {
  const nobody = { address: `0x${'11'.repeat(20)}`, agentId: '', name: '' };
  try {
    challengeText({ ...nobody, chainId: 1, publicUrl, now: new Date() });
  } catch {
    throw new Error(`PUBLIC_URL: wallets cannot sign for ${new URL(publicUrl).host}; a name with a dot is needed`);
  }
}
