/** What a tracker makes of a hand in the layout of PokerStars: an independent reading, line by line. */
export interface TrackedHand {
  number: string;
  /** By name. */
  start: Map<string, number>;
  end: Map<string, number>;
  hero: string;
  totalPot: number;
  /** Sum of the pots named one by one, or the total. */
  pots: number;
  collected: number;
  summary: Map<string, string>;
  board: string[];
}

const HEADER = /^PokerStars Hand #(\d+): {2}Hold'em No Limit \((\d+)\/(\d+)\) - \d{4}\/\d\d\/\d\d \d\d?:\d\d:\d\d UTC \[\d{4}\/\d\d\/\d\d \d\d?:\d\d:\d\d ET\]$/; // prettier-ignore
const CARDS = '\\[(?:[2-9TJQKA][cdhs] ?)+\\]';

/** Reads a file; throws at any line that the layout does not have. */
export function readPokerStars(text: string): TrackedHand[] {
  return text
    .split('\n\n\n')
    .filter((part) => part !== '')
    .map((part) => new Tracker().read(part.split('\n')));
}

class Tracker {
  #hand: TrackedHand = {
    ...{ number: '', hero: '', totalPot: 0, pots: 0, collected: 0, board: [] },
    ...{ start: new Map(), end: new Map(), summary: new Map() },
  };
  #bets = new Map<string, number>();
  #inSummary = false;

  read(lines: string[]): TrackedHand {
    for (const line of lines) {
      if (!RULES.some(([pattern, take]) => this.#try(line, pattern, take))) throw new Error(`no such line: ${line}`);
    }
    return this.#hand;
  }

  #try(line: string, pattern: RegExp, take: Take): boolean {
    const match = pattern.exec(line);
    if (match === null) return false;
    const to = (name: string, total: number) => {
      const added = total - (this.#bets.get(name) ?? 0);
      this.#bets.set(name, total);
      this.move(name, -added);
      if (this.#hand.end.get(name)! < 0) throw new Error(`${name} has not so much: ${line}`);
      if (/ and is all-in$/.test(line) !== (this.#hand.end.get(name) === 0)) throw new Error(`all-in or not: ${line}`);
    };
    take(match as unknown as string[], {
      hand: this.#hand,
      move: (name, chips) => this.move(name, chips),
      to,
      add: (name, chips) => to(name, (this.#bets.get(name) ?? 0) + chips),
      price: () => Math.max(0, ...this.#bets.values()),
      street: () => this.#bets.clear(),
      summary: (set) => (set ? (this.#inSummary = true) : this.#inSummary),
    });
    return true;
  }

  private move(name: string, chips: number): void {
    const before = this.#hand.end.get(name);
    if (before === undefined) throw new Error(`nobody is called ${name}`);
    this.#hand.end.set(name, before + chips);
  }
}

interface ParsedTable {
  hand: TrackedHand;
  move(name: string, chips: number): void;
  /** Bets of the street. */
  to(name: string, total: number): void;
  add(name: string, chips: number): void;
  price(): number;
  street(): void;
  summary(set?: true): boolean;
}
type Take = (match: string[], parsed: ParsedTable) => void;

const ALL_IN = '(?: and is all-in)?';
const WORDS = "(?:high card|a pair of|two pair,|three of a kind,|a straight,|a flush,|a full house,|four of a kind,|a straight flush,|a Royal Flush)[\\w, ]*"; // prettier-ignore
const rule = (pattern: string, take: Take = () => undefined): [RegExp, Take] => [new RegExp(`^${pattern}$`), take];

const RULES: [RegExp, Take][] = [
  [HEADER, ([, number], { hand }) => (hand.number = number!)],
  rule("Table '[\\w-]+' 6-max \\(Play Money\\) Seat #[1-6] is the button"),
  rule('Seat [1-6]: (\\w+) \\((\\d+) in chips\\)', ([, name, chips], { hand }) => {
    hand.start.set(name!, Number(chips));
    hand.end.set(name!, Number(chips));
  }),
  rule(`(\\w+): posts (?:small|big) blind (\\d+)${ALL_IN}`, ([, name, chips], { add }) => add(name!, Number(chips))),
  rule('\\*\\*\\* HOLE CARDS \\*\\*\\*'),
  rule(`Dealt to (\\w+) ${CARDS}`, ([, name], { hand }) => (hand.hero = name!)),
  rule('(\\w+) has timed out'),
  rule('(\\w+): (?:folds|checks|mucks hand)'),
  rule("(\\w+): doesn't show hand"),
  rule(`(\\w+): calls (\\d+)${ALL_IN}`, ([, name, chips], { add }) => add(name!, Number(chips))),
  rule(`(\\w+): bets (\\d+)${ALL_IN}`, ([, name, chips], { to, price }) => {
    if (price() > 0) throw new Error('a bet after a bet');
    to(name!, Number(chips));
  }),
  rule(`(\\w+): raises (\\d+) to (\\d+)${ALL_IN}`, ([, name, , total], { to, price }) => {
    if (price() === 0 || Number(total) <= price()) throw new Error('a raise of nothing');
    to(name!, Number(total));
  }),
  rule(`\\*\\*\\* (?:FLOP|TURN|RIVER) \\*\\*\\* ${CARDS}(?: ${CARDS})?`, (_, { street }) => street()),
  rule('Uncalled bet \\((\\d+)\\) returned to (\\w+)', ([, chips, name], { move }) => move(name!, Number(chips))),
  rule('\\*\\*\\* SHOW DOWN \\*\\*\\*'),
  rule(`(\\w+): shows ${CARDS} \\(${WORDS}\\)`),
  rule('(\\w+) collected (\\d+) from (?:pot|main pot|side pot(?:-\\d)?)', ([, name, chips], { hand, move }) => {
    hand.collected += Number(chips);
    move(name!, Number(chips));
  }),
  rule('\\*\\*\\* SUMMARY \\*\\*\\*', (_, { summary }) => summary(true)),
  rule('Total pot (\\d+)((?: (?:Main|Side) pot(?:-\\d)? \\d+\\.)*) \\| Rake 0', ([, total, pots], { hand }) => {
    hand.totalPot = Number(total);
    const each = pots!.match(/\d+(?=\.)/g) ?? [total];
    hand.pots = each.reduce((sum, chips) => sum + Number(chips), 0);
  }),
  rule(`Board (${CARDS})`, ([, cards], { hand }) => (hand.board = cards!.slice(1, -1).split(' '))),
  rule(
    `Seat [1-6]: (\\w+)((?: \\((?:button|small blind|big blind)\\))*) (folded before Flop(?: \\(didn't bet\\))?|folded on the (?:Flop|Turn|River)|collected \\(\\d+\\)|mucked(?: ${CARDS})?|showed ${CARDS} and (?:won \\(\\d+\\)|lost) with ${WORDS})`, // prettier-ignore
    ([, name, , fate], { hand }) => hand.summary.set(name!, fate!),
  ),
];
