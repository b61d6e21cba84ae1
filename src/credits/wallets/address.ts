import { getAddress, isAddress } from 'viem/utils';
import { Detail, HttpError } from '../../protocol/rest/errors.js';

/**
 * The address in its checksummed form (EIP-55). An address without capitals carries no checksum and is taken as it is;
 * any other must match its own. Throws HttpError 400.
 */
export function checksummed(address: string): string {
  if (!isAddress(address, { strict: true })) throw new HttpError(400, Detail.invalidWallet);
  return getAddress(address);
}
