import { fileURLToPath } from 'node:url';
import { pythonWith } from '../support/python.js';

const python = await pythonWith('websockets', 'httpx');

/** The bot programs of the kits, as `prove` starts them; null where their language is not here. */
export const KITS = {
  ts: [process.execPath, '--enable-source-maps', fileURLToPath(new URL('./bot.js', import.meta.url))],
  py: python === null ? null : [python, '-B', fileURLToPath(new URL('../../../test/sdk/bot.py', import.meta.url))],
} as const satisfies Readonly<Record<string, readonly string[] | null>>;
export type Kit = keyof typeof KITS;

/** Why a kit cannot be proven here. */
export const NO_PYTHON = 'no python3 with the packages websockets and httpx is here';
