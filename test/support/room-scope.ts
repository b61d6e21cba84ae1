/** The last test of each file in a room; it asserts nothing. */
export const AFTER_FILE = 'teardowns of the file';

type Teardown = () => unknown;

/** The teardowns of the room, the last first; null where a file runs alone. */
let atEnd: Teardown[] | null = null;

/** From here on files share their shared resources. */
export function beginRoom(): void {
  atEnd = [];
}

export async function endRoom(): Promise<void> {
  for (const teardown of atEnd ?? []) await teardown();
  atEnd = null;
}

/** The scope of resources that several files share: the room, or else the file. */
export const sharedScope = (own: { teardown(handler: () => Promise<void>): void }): typeof own => {
  const room = atEnd;
  return room === null ? own : { teardown: (handler) => void room.unshift(handler) };
};
