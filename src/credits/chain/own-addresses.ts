import { zeroAddress } from 'viem';
import { Detail, HttpError } from '../../protocol/rest/errors.js';
import type { Queryable } from '../../store/database.js';
import { selectTreasuries } from './deposit-queries.js';

/** The chain's settings; undefined without a chain. */
export interface OwnSettings {
  token?: string | undefined;
  treasury?: string | undefined;
}

/**
 * Addresses to which no money of others goes, and from which none comes: nobody's (0x0), the token's, and the
 * treasury's, the former ones included. In lower case.
 */
export async function ownAddresses(sql: Queryable, { token, treasury }: OwnSettings): Promise<ReadonlySet<string>> {
  const known = [zeroAddress, token, treasury, ...(await selectTreasuries(sql))];
  return new Set(known.flatMap((address) => (address === undefined ? [] : [address.toLowerCase()])));
}

/** Throws HttpError 400 for an address of our own, to which no withdrawal goes. */
export async function refuseOwnAddress(sql: Queryable, own: OwnSettings, address: string): Promise<void> {
  if ((await ownAddresses(sql, own)).has(address.toLowerCase())) throw new HttpError(400, Detail.ownAddress);
}
