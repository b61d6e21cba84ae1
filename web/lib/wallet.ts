import { call } from './api.js';

/** A wallet in the browser (EIP-1193), as far as it is asked here. */
interface Provider {
  request(asked: { method: string; params?: unknown[] }): Promise<unknown>;
}

export const wallet = (): Provider | null => (window as { ethereum?: Provider }).ethereum ?? null;

/** Lets the wallet sign that it is the owner's. Rejects with what the wallet or the server said. */
export async function proveWallet(provider: Provider): Promise<string> {
  const [address] = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  if (address === undefined) throw new Error('The wallet named no account.');
  const { message } = await call('POST /api/me/wallet/challenge', { body: { address } });
  const signature = (await provider.request({ method: 'personal_sign', params: [hexOf(message), address] })) as string;
  const proven = await call('POST /api/me/wallet/proof', { body: { message, signature } });
  return proven.wallet_address;
}

const hexOf = (text: string) =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
