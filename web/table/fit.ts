/** How wide a text is, in units of the picture. `size` is the height of its font. */
export type Measure = (text: string, size: number, weight: number) => number;

const FONT = 'system-ui, sans-serif';
/** Names and amounts come again with every action. */
const KEPT = 2000;
const widths = new Map<string, number>();
let canvas: CanvasRenderingContext2D | null = null;

/** Measures with the font of the pages. Figures stand in columns there: each is as wide as the widest. */
export const measureInPage: Measure = (text, size, weight) => {
  const key = `${weight} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    canvas ??= document.createElement('canvas').getContext('2d')!;
    canvas.font = `${weight} 100px ${FONT}`;
    width = canvas.measureText(text.replace(/\d/g, '0')).width;
    if (widths.size >= KEPT) widths.clear();
    widths.set(key, width);
  }
  return (width * size) / 100;
};

/** The font of a text on the picture. */
export interface Face {
  size: number;
  weight: number;
}

/** The first of the texts that has room; else the beginning of the last one, with an ellipsis. */
export function fit(measure: Measure, { size, weight }: Face, room: number, ...texts: readonly string[]): string {
  const found = texts.find((text) => measure(text, size, weight) <= room);
  if (found !== undefined) return found;
  const letters = Array.from(texts.at(-1) ?? '');
  while (letters.length > 1 && measure(`${letters.join('')}…`, size, weight) > room) letters.pop();
  return `${letters.join('')}…`;
}
