/** How much room a text takes, in letters of usual width. Fonts differ; an estimate by the kind of letter is enough. */
export const lettersOf = (text: string): number => Array.from(text).reduce((sum, letter) => sum + widthOf(letter), 0);

/** The text, or its beginning with an ellipsis where it has more than `room` letters. */
export function cut(text: string, room: number): string {
  if (lettersOf(text) <= room) return text;
  let [kept, width] = ['', 1];
  for (const letter of text) {
    width += widthOf(letter);
    if (width > room) break;
    kept += letter;
  }
  return `${kept}…`;
}

function widthOf(letter: string): number {
  if (/[.,:;'|!ijlI ]/.test(letter)) return 0.5;
  if (/[WMmw@%]/.test(letter)) return 1.5;
  // Letters of East Asia, and pictures.
  return letter >= '\u1100' ? 1.8 : 1;
}
