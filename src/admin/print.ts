/** How commands show their answers to people. */

export const day = (date: Date) => date.toISOString().slice(0, 10);

/** The last line of a page of a list. */
export const pageLine = (offset: number, shown: number, matching: number) =>
  shown === 0 ? 'none' : `${offset + 1} to ${offset + shown} of ${matching}`;
