const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EACCES: 'this account may not',
  EPERM: 'this account may not',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: "this account's share of the disk is full",
};

/** Why the system refused a file, for people: words and the system's code. */
export function fileTrouble(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const words = WORDS[code];
  return words === undefined ? message : `${words} (${code})`;
}
