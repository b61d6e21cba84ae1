/** Pieces of signing in that tests share. */

/** The token in the text of a sign-in mail. */
export function tokenIn(text: string): string {
  const token = /^https?:\/\/[^/\s]+\/sign-in\/link#token=([\w-]{43})$/m.exec(text)?.[1];
  if (token === undefined) throw new Error(`no link in ${JSON.stringify(text)}`);
  return token;
}

/** The cookie as a browser sends it back. */
export const cookieOf = (setCookie: string) => setCookie.slice(0, setCookie.indexOf(';'));
