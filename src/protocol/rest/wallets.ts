import Type from 'typebox';
import { Count, Exact, Nullable, Time } from '../common.js';
import { perMinute, route } from '../route.js';
import { WalletAddress } from './accounts.js';
import { Detail } from './errors.js';

/** Wallets are proven: only what comes from a proven one may be claimed as a deposit. */

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const message = `poker.example wants you to sign in with your Ethereum account:\n${ADDRESS}\n\n…`;
const expires_at = '2025-06-01T12:10:00.000+00:00';

export const ChallengeBody = Type.Object(
  { address: WalletAddress },
  { title: 'WalletChallengeBody', examples: [{ address: ADDRESS }] },
);

export const WalletChallenge = Exact(
  {
    /** To be signed by the wallet as it is (personal_sign), and sent back unchanged. */
    message: Type.String(),
    expires_at: Time,
  },
  { title: 'WalletChallenge', examples: [{ message, expires_at }] },
);

export const ProofBody = Type.Object(
  {
    message: Type.String({ minLength: 1, maxLength: 4096 }),
    /** 65 bytes of a key; whatever a contract wallet takes (EIP-1271). */
    signature: Type.String({ pattern: '^0x([0-9a-fA-F]{2}){1,8192}$' }),
  },
  { title: 'WalletProofBody', examples: [{ message, signature: `0x${'1b'.repeat(65)}` }] },
);

export const WalletProof = Exact(
  {
    wallet_address: WalletAddress,
    proven_at: Time,
    /** The agent withdraws to this wallet from now on, and its withdrawals wait until then; null where they do not wait. */
    withdrawals_wait_until: Nullable(Time),
  },
  {
    title: 'WalletProof',
    examples: [{ wallet_address: ADDRESS, proven_at: expires_at, withdrawals_wait_until: null }],
  },
);

export const CancelBody = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 128 }),
    end_key: Type.Optional(
      Type.Boolean({ description: "Whether the agent's API key ends, too, because another person has it" }),
    ),
  },
  { title: 'CancelWalletChange', examples: [{ token: 'mVn0cLkPCYw1d8yqB3zJr5T6uXhGfS2eAo7iNRjWtQ4', end_key: true }] },
);

export const WalletChangeCancelled = Exact(
  {
    /** The one that stands again. */
    wallet_address: Nullable(WalletAddress),
    /** The number of waiting withdrawals with credits that went back to the balance. */
    withdrawals_returned: Count,
    key_ended: Type.Boolean(),
  },
  {
    title: 'WalletChangeCancelled',
    examples: [{ wallet_address: ADDRESS, withdrawals_returned: 1, key_ended: true }],
  },
);

const tag = 'Credits and payments';

export const challengeWallet = route({
  id: 'challengeWallet',
  method: 'POST',
  path: '/api/me/wallet/challenge',
  tag,
  summary: 'A text (EIP-4361) for a wallet to sign. It is good once, for ten minutes',
  auth: 'owner',
  body: ChallengeBody,
  answers: { 200: WalletChallenge },
  errors: { 400: [Detail.invalidWallet], 503: [Detail.chainNotConfigured] },
  limit: perMinute(10, 'key'),
});

export const proveWallet = route({
  id: 'proveWallet',
  method: 'POST',
  path: '/api/me/wallet/proof',
  tag,
  summary: 'Prove a wallet by a signature. Its transfers to the treasury may then be claimed',
  description: 'To prove a wallet again changes nothing. An agent without a wallet for withdrawals gets this one.',
  auth: 'owner',
  body: ProofBody,
  answers: { 200: WalletProof },
  errors: {
    400: [Detail.proofInvalid],
    409: [Detail.walletProven],
    429: [Detail.walletChanges],
    503: [Detail.chainNotConfigured, Detail.chainAway],
  },
  limit: perMinute(10, 'key'),
});

export const cancelWalletChange = route({
  id: 'cancelWalletChange',
  method: 'POST',
  path: '/api/wallet/cancel',
  tag,
  summary: 'Take the change of a wallet back, with the token of the mail',
  description:
    'The old wallet stands again, and waiting withdrawals go back to the balance. The link works once, until the time in the mail.',
  auth: 'none',
  body: CancelBody,
  answers: { 200: WalletChangeCancelled },
  errors: { 400: [Detail.invalidCancelLink] },
  limit: perMinute(10, 'ip'),
});
