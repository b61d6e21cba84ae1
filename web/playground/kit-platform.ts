import * as page from '../../sdk/typescript/src/platform-browser.js';
import type { OpenSocket } from '../../sdk/typescript/src/socket.js';
import { passFrame } from './tap.js';

/**
 * The browser's side of the TypeScript kit, with visible frames. The build of the pages takes it in the place of the
 * kit's `platform.ts`.
 */
export const openSocket: OpenSocket = (url, credential, protocols, events) => {
  const socket = page.openSocket(url, credential, protocols, {
    ...events,
    text: (text) => {
      passFrame('in', text);
      events.text(text);
    },
  });
  return {
    ...socket,
    send: (text) => {
      passFrame('out', text);
      socket.send(text);
    },
  };
};

export {
  environment,
  noteWarning,
  printLine,
  readKeyFile,
  writeKeyFile,
} from '../../sdk/typescript/src/platform-browser.js';
