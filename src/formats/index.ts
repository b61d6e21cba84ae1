export { HandFileError, type FileFormat, type FilePart, type UnreadableHand } from './file.js';
export {
  CHIPS,
  STREETS,
  type ActionWord,
  type AmountUnit,
  type HandMove,
  type PostWord,
  type ReplayHand,
  type ReplayPlayer,
  type StreetName,
} from './hand.js';
export { readHand, readHandFile, splitHandFile } from './read.js';
