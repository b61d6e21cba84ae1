import { KitError } from './errors.js';
import type { OpenSocket } from './socket.js';

/** The browser's side of the platform, with nothing but a page's own means. */

/** As much of a page's WebSocket as is used here. */
interface PageSocket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}
declare const WebSocket: new (url: string, protocols: string[]) => PageSocket;
declare const console: { warn(text: string): void };

export const openSocket: OpenSocket = (url, credential, protocols, events) => {
  if ('key' in credential) {
    throw new KitError('a page cannot send an API key: give a botToken (docs/reference/rest.md, "Bots")');
  }
  const socket = new WebSocket(url, [...new Set([...protocols, 'agent-poker']), `token.${credential.token}`]);
  let wasOpen = false;
  socket.onopen = () => {
    wasOpen = true;
    events.open();
  };
  socket.onmessage = ({ data }) => events.text(String(data));
  const end = (code: number, text: string) => events.closed({ code, text, status: null, retryAfterMs: null });
  // A page is not told why an upgrade was refused.
  socket.onclose = ({ code, reason }) => end(wasOpen ? code : 0, reason);
  return {
    send: (text) => socket.send(text),
    ping: null,
    close: () => socket.close(1000),
    abandon: () => socket.close(),
  };
};

export const environment = (_name: string): string | undefined => undefined;
export const readKeyFile = (_path: string): string | null => null;

export function writeKeyFile(_path: string, _key: string): void {
  throw new KitError('a page has no key file');
}

export const noteWarning = (_kind: string, _text: string): void => undefined;
export const printLine = (line: string): void => console.warn(line);
