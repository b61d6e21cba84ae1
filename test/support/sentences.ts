/** The rules of language in docs/internals/style.md that a program can check. Pages and comments share them. */

/** The most words that a sentence of a comment may have. */
export const MOST_WORDS = 25;

/** Text as people read it: code marks are one word, a link is its text. */
export const plain = (text: string) =>
  text
    .replace(/`[^`]*`/g, 'Code')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|__/g, '');

export const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[.!?][")”]?)\s+(?=["“(]?[\p{Lu}\d])/u).filter((sentence) => /\p{L}/u.test(sentence));

export const wordsOf = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Faults of a sentence of plain text, by name. */
const FAULTS: Readonly<Record<string, RegExp>> = {
  'a subject without a noun': /^(?:Who|Whom|Whoever|What|Whatever|Whose|Where nobody)\b(?!.*\?$)/,
  'a chain': /\bof (?:which|that|those|whom)\b/i,
  'a date': /\b20\d\d-\d\d-\d\d\b|\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)\b/,
  'a diary': /\b(?:last (?:full )?run|found by it|was tried|were tried|used to be)\b/i,
}; // prettier-ignore

export const faultsOf = (sentence: string): string[] =>
  Object.keys(FAULTS).filter((fault) => FAULTS[fault]!.test(sentence));

/** Also the rules that comments keep and pages do not. */
export function commentFaultsOf(sentence: string): string[] {
  const words = wordsOf(sentence);
  return faultsOf(sentence)
    .concat(/\bwhose\b/i.test(sentence) ? ['a chain by "whose"'] : [])
    .concat(words > MOST_WORDS ? [`${words} words`] : []);
}
