import { useState } from 'preact/hooks';

/** The token behind the # of a mailed link; empty without one. It leaves the address at once. */
export function useLinkToken(): string {
  const [token] = useState(() => {
    const found = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
    if (found !== '') history.replaceState(history.state, '', location.pathname);
    return found;
  });
  return token;
}
