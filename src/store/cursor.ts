import type { Fragment, Queryable } from './database.js';

/**
 * Opens a cursor of the transaction `tx`. The result fetches the next rows; none are left when it resolves to none.
 *
 * Each fetch is a statement of its own, so an error rejects it. Two ways of postgres.js lose an error or stand still.
 * `.cursor()` ends without one when the connection breaks between two portions. A COPY with a full stream at its last
 * rows leaves the socket paused.
 */
export async function openCursor<Row extends readonly object[]>(tx: Queryable, name: string, statement: Fragment) {
  await tx`declare ${tx(name)} no scroll cursor for ${statement}`;
  return (rows: number) => tx<Row>`fetch ${tx.unsafe(String(rows))} from ${tx(name)}`;
}

/** Yields the results of `next`, until one is empty. */
export async function* portions<Rows extends readonly unknown[]>(next: () => PromiseLike<Rows>): AsyncGenerator<Rows> {
  for (let rows = await next(); rows.length > 0; rows = await next()) yield rows;
}
