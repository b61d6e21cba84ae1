import { randomBytes } from 'node:crypto';
import { createSiweMessage } from 'viem/siwe';

/** How long a challenge is good for. */
const GOOD_FOR_MS = 10 * 60_000;

export interface ChallengeRequest {
  /** Checksummed. */
  address: string;
  agentId: string;
  /** Of the agent. */
  name: string;
  chainId: number;
  /** Our address as people reach it. */
  publicUrl: string;
  now: Date;
}

/**
 * What a wallet is to sign (EIP-4361). It names us and the agent, so that a signature that was meant for another place,
 * or got by a stranger for an agent of its own, shows in the text what it is for. Throws where the host of our address
 * is none that wallets know (a name without a dot, an IPv6 address).
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
