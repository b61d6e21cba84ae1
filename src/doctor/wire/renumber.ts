/** Every field that holds a table_seq. */
const NUMBERED = /"(table_seq|to_table_seq|from_table_seq)":(\d+)/g;
const ASKED = /"last_table_seq"\s*:\s*(\d+)/g;

/** The server's frame as if the table were that many numbers further: the bot sees one consistent stream. */
export const shifted = (text: string, by: number): string =>
  by === 0 ? text : text.replace(NUMBERED, (_, name: string, seq: string) => `"${name}":${Number(seq) + by}`);

/** The bot's frame as the server numbers. */
export const shiftedBack = (text: string, by: number): string =>
  by === 0 ? text : text.replace(ASKED, (_, seq: string) => `"last_table_seq":${Math.max(0, Number(seq) - by)}`);
