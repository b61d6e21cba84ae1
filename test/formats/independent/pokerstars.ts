import { Bets, type IndependentHand } from './hand.js';

/** A hand with what the summary says of it. */
export interface PokerStarsReading extends IndependentHand {
  totalPot: number;
  /** Sum of the pots that the summary names one by one, or the total. */
  pots: number;
  /** Sum of all that was collected. */
  collected: number;
}

/**
 * Hands in the text of PokerStars, as descriptions and parsers of the format understand it. The parts are a header, the
 * seats, the posts, streets between stars, and a summary. Every line must be known, and every figure of the summary
 * must hold.
 */
export const readPokerStars = (text: string): PokerStarsReading[] =>
  text
    .split(/\n{2,}/)
    .filter((part) => part !== '')
    .map((part) => new Reading().read(part.split('\n')));

const CARD = '[2-9TJQKA][cdhs]';
const CARDS = `\\[(${CARD}(?: ${CARD})*)\\]`;
const RANKED = '\\((?:high card|an? |two pair|three of|four of)[\\w, ]*\\)';
const BOTH = '(?<name>\\S+)';
const CHIPS = '(?<chips>\\d+)(?<allIn> and is all-in)?';
const line = (pattern: string) => new RegExp(`^${pattern}$`);

const LINES = {
  header:
    /^PokerStars Hand #(?<id>\d+): {2}Hold'em No Limit \((?<small>\d+)\/(?<big>\d+)\) - \d{4}\/\d\d\/\d\d \d\d?:\d\d:\d\d UTC \[\d{4}\/\d\d\/\d\d \d\d?:\d\d:\d\d ET\]$/,
  table: /^Table '[^']+' 6-max \(Play Money\) Seat #[1-6] is the button$/,
  seat: /^Seat (?<seat>[1-6]): (?<name>\S+) \((?<chips>\d+) in chips\)$/,
  post: line(`${BOTH}: posts (?:small|big) blind ${CHIPS}`),
  dealt: line(`Dealt to ${BOTH} ${CARDS}`),
  still: line(`${BOTH}: (?<word>folds|checks)`),
  call: line(`${BOTH}: calls ${CHIPS}`),
  bet: line(`${BOTH}: bets ${CHIPS}`),
  raise: line(`${BOTH}: raises (?<by>\\d+) to ${CHIPS}`),
  street: line(`\\*\\*\\* (?:FLOP|TURN|RIVER) \\*\\*\\* (?:${CARDS} )?${CARDS}`),
  returned: line(`Uncalled bet \\((?<chips>\\d+)\\) returned to ${BOTH}`),
  shows: line(`${BOTH}: shows ${CARDS} ${RANKED}`),
  collected: line(`${BOTH} collected (?<chips>\\d+) from (?:pot|main pot|side pot(?:-\\d)?)`),
  total: /^Total pot (?<total>\d+)(?<pots>(?: (?:Main|Side) pot(?:-\d)? \d+\.)*) \| Rake 0$/,
  board: line(`Board ${CARDS}`),
  fate: line(
    `Seat (?<seat>[1-6]): ${BOTH}(?: \\((?:button|small blind|big blind)\\))* (?:folded before Flop(?: \\(didn't bet\\))?|folded on the (?:Flop|Turn|River)|mucked(?: ${CARDS})?|showed ${CARDS} and lost with [\\w, ]+|(?:collected|showed ${CARDS} and won) \\((?<won>\\d+)\\)(?: with [\\w, ]+)?)`,
  ),
  rest: line(`\\*\\*\\* (?:HOLE CARDS|SHOW DOWN|SUMMARY) \\*\\*\\*|${BOTH} has timed out|${BOTH.replace('name', 'muck')}: (?:mucks hand|doesn't show hand)`), // prettier-ignore
} as const;

type Groups = Readonly<Record<string, string>>;

class Reading {
  readonly #hand: PokerStarsReading = {
    id: '',
    players: new Map(),
    posts: [],
    actions: [],
    board: [],
    hero: null,
    shown: new Map(),
    totalPot: 0,
    pots: 0,
    collected: 0,
  };
  #bets = new Bets(this.#hand.players, 0);

  read(lines: readonly string[]): PokerStarsReading {
    for (const text of lines) this.#line(text);
    const put = [...this.#hand.players.values()].reduce((sum, { start, end }) => sum + start - end, 0);
    if (put !== 0) throw new Error(`${put} chips are lost`);
    const { totalPot, pots, collected } = this.#hand;
    if (totalPot !== pots || totalPot !== collected) throw new Error(`pot ${totalPot}, ${pots}, ${collected}`);
    return this.#hand;
  }

  #line(text: string): void {
    for (const [kind, pattern] of Object.entries(LINES)) {
      const match = pattern.exec(text);
      if (match !== null) return this.#take(kind as keyof typeof LINES, match.groups ?? {}, match);
    }
    throw new Error(`no such line: ${text}`);
  }

  #take(kind: keyof typeof LINES, groups: Groups, match: RegExpExecArray): void {
    const hand = this.#hand;
    const bets = this.#bets;
    const [name, chips] = [groups['name'] ?? '', Number(groups['chips'])];
    const cards = () => match.at(-1)!.split(' ');
    const price = bets.price;
    switch (kind) {
      case 'header':
        hand.id = groups['id']!;
        this.#bets = new Bets(hand.players, Number(groups['big']));
        break;
      case 'seat':
        if (hand.players.has(name)) throw new Error(`${name} sits twice`);
        hand.players.set(name, { seat: Number(groups['seat']), start: chips, end: chips, won: 0 });
        break;
      case 'post':
        this.#put(name, chips, groups);
        hand.posts.push([name, chips]);
        break;
      case 'dealt':
        hand.hero ??= [name, cards()];
        break;
      case 'still':
        if (groups['word'] === 'checks' && bets.of(name) < price) throw new Error(`${name} checks a bet`);
        hand.actions.push([name, groups['word'] === 'folds' ? 'fold' : 'check', 0]);
        break;
      case 'call':
        if (bets.of(name) + chips !== price && groups['allIn'] === undefined) throw new Error(`${name} calls ${chips}`);
        this.#put(name, chips, groups);
        hand.actions.push([name, 'call', chips]);
        break;
      case 'bet':
        if (price !== 0) throw new Error(`${name} bets after a bet`);
        this.#put(name, chips, groups);
        hand.actions.push([name, 'bet', chips]);
        break;
      case 'raise':
        if (price === 0 || chips - Number(groups['by']) !== price) throw new Error(`${name} raises to ${chips}`);
        this.#put(name, chips - bets.of(name), groups);
        hand.actions.push([name, 'raise', chips]);
        break;
      case 'street':
        hand.board.push(...cards());
        bets.street();
        break;
      case 'returned': {
        const uncalled = bets.uncalled();
        if (uncalled?.[0] !== name || uncalled[1] !== chips) throw new Error(`${chips} returned to ${name}`);
        hand.players.get(name)!.end += chips;
        break;
      }
      case 'shows':
        hand.shown.set(name, cards());
        break;
      case 'collected': {
        const player = hand.players.get(name)!;
        player.won += chips;
        player.end += chips;
        hand.collected += chips;
        break;
      }
      case 'total': {
        hand.totalPot = Number(groups['total']);
        const pots = groups['pots']!.match(/\d+(?=\.)/g) ?? [groups['total']!];
        hand.pots = pots.reduce((sum, pot) => sum + Number(pot), 0);
        break;
      }
      case 'board':
        if (cards().join() !== hand.board.join()) throw new Error(`board ${match[1]}`);
        break;
      case 'fate': {
        const { seat, won } = hand.players.get(name)!;
        if (String(seat) !== groups['seat'] || won !== Number(groups['won'] ?? 0)) throw new Error(`fate of ${name}`);
        break;
      }
      case 'table':
      case 'rest':
        break;
    }
  }

  #put(name: string, chips: number, { allIn }: Groups): void {
    this.#bets.add(name, chips);
    this.#hand.players.get(name)!.end -= chips;
    if ((allIn !== undefined) !== (this.#bets.left(name) === 0)) throw new Error(`all-in or not: ${name} ${chips}`);
  }
}
