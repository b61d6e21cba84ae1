import { createRequire } from 'node:module';
import { renderAsync } from '@resvg/resvg-js';
import { move } from 'piscina';
import { yieldToOthers } from '../src/ops/priority.js';

yieldToOthers();

// Servers have no fonts, and a picture has names and suits.
const { resolve } = createRequire(import.meta.url);
const FONT = {
  fontFiles: ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((name) => resolve(`dejavu-fonts-ttf/ttf/${name}`)),
  loadSystemFonts: false,
  defaultFontFamily: 'DejaVu Sans',
};

/** The picture thread: SVG text as a PNG, away from the sockets. */
export default async function png(svg: string): Promise<unknown> {
  const image = await renderAsync(svg, { font: FONT });
  return move(new Uint8Array(image.asPng()));
}
