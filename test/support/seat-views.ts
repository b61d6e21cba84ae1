import { type Client } from './table-driver.js';

/** What a client was last sent of seats. */

export const waiting = (client: Client) => client.last('table_state').waiting_reason;
export const statusOf = (client: Client, seat: number) => client.last('table_state').seats[seat]?.status;
