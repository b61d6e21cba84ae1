import { getAddress, isAddress } from 'viem/utils';
import { HttpError } from '../protocol/rest/errors.js';

export const INVALID_WALLET = 'Invalid wallet address: its EIP-55 checksum does not match';

/**
 * The address in its checksummed form (EIP-55). An address without capitals carries no checksum and is taken as it is;
 * any other must match its own. Throws HttpError 400.
 */
export function checksummed(address: string): string {
  if (!isAddress(address, { strict: true })) throw new HttpError(400, INVALID_WALLET);
  return getAddress(address);
}
