import { fileURLToPath } from 'node:url';

/** The bot programs of the kits, as `prove` starts them. */
export const KITS = {
  ts: [process.execPath, '--enable-source-maps', fileURLToPath(new URL('./bot.js', import.meta.url))],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type Kit = keyof typeof KITS;
