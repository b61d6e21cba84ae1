import { type Client } from './table-driver.js';

/** The last message about seats to a client. */

export const waiting = (client: Client) => client.last('table_state').waiting_reason;
export const statusOf = (client: Client, seat: number) => client.last('table_state').seats[seat]?.status;
