/** The English texts of the page that replays files. */

const count = (n: number) => n.toLocaleString('en');
const hands = (n: number) => `${count(n)} ${n === 1 ? 'hand' : 'hands'}`;

export const fileTexts = {
  title: 'Replay a file',
  lead: "No-Limit Hold'em of two to six players: PHH, PokerStars text in English, or a JSON file of this platform. The file is read in this page and goes nowhere.",
  drop: 'Drop a file here, or choose one',
  another: 'Another file',
  reading: (read: number, found: number) => `${count(read)} of ${hands(found)} read`,
  readingLabel: 'Hands that are read',
  finding: 'Looking for hands',
  hands,
  unreadable: (n: number) => `${count(n)} unreadable`,
  noneReadable: 'No hand of the file can be replayed.',
  reason: (number: number, line: number, reason: string) => `Hand #${number}, line ${line}: ${reason}`,
  unreadableList: 'Unreadable hands',
  list: 'Hands of the file',
  columns: { number: 'No.', title: 'Hand', players: 'Players' },
  place: (index: number, of: number) => `${count(index + 1)} of ${hands(of)}`,
  find: 'Go to hand no.',
  go: 'Go',
  cannotShow: 'This hand could not be shown. The page has a fault; the other hands can still be replayed.',
  failed: 'The file could not be read. The page has a fault.',
};
