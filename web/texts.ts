import { cardWords } from './game/card-words.js';
import type { ActionEvent } from './game/steps.js';
import type { PostWord, StreetName } from '../src/formats/hand.js';
import type { Verdict } from './proof/verify.js';
import type { TableView } from './table/view.js';

/** The English texts around tables and hands. Short, plain, present tense; the terms of docs/GLOSSARY.md. */

const whole = (n: number) => n.toLocaleString('en');
export const plural = (n: number, one: string, many = `${one}s`) => `${whole(n)} ${n === 1 ? one : many}`;

const STREETS = { preflop: 'Deal', flop: 'Flop', turn: 'Turn', river: 'River', result: 'Result' } as const;

const table = {
  emptySeat: 'empty seat',
  button: 'D',
  status: { away: 'away', sitting_out: 'leaving', disconnected: 'offline' },
  said: {
    fold: 'fold',
    check: 'check',
    call: 'call',
    bet: 'bet',
    raise: 'raise',
    all_in: 'all-in',
    small_blind: 'SB',
    big_blind: 'BB',
    return: 'post',
    straddle: 'straddle',
    ante: 'ante',
    dead: 'dead',
  },
  caption: (small: string, big: string, hand: number | null) =>
    `${small} / ${big}${hand === null ? '' : ` · hand ${whole(hand)}`}`,
  pots: (pot: number, pots: readonly number[], amount: (chips: number) => string) => {
    const [main, ...sides] = pots;
    if (main === undefined || sides.length === 0) return `pot ${amount(pot)}`;
    return `pot ${amount(main)}${sides.map((side) => ` · side ${amount(side)}`).join('')}`;
  },
  seat: (seat: number) => `seat ${seat + 1}`,
  label: ({ board, pot, seats }: TableView, amount: (chips: number) => string) => {
    const playing = seats.filter(({ name, faded }) => name !== null && !faded).length;
    const cards = board.length === 0 ? 'no board' : `board ${board.map(cardWords).join(', ')}`;
    return `The table: ${plural(playing, 'player')} in, ${cards}, pot ${amount(pot)}`;
  },
  waiting: {
    insufficient_players: 'Waiting for players',
    awaiting_rebuy: 'Waiting for a rebuy',
    awaiting_reconnect: 'Waiting for players to come back',
    all_players_disconnected: 'All players are offline',
    between_hands_delay: 'The next hand begins',
    awaiting_hand_start: 'The next hand begins',
    table_closing: 'The table closes',
  } as Readonly<Record<string, string>>,
};

const REASONS: Readonly<Record<string, string>> = {
  insufficient_players: 'its players have gone to other tables',
  season_ended: 'the season has ended',
  competition_ended: 'the competition has ended',
  table_error: 'it failed; all chips are back',
  closed_by_operator: 'the operator closed it',
  pace: 'the bot plays on with others that decide as fast',
};

const POSTS = {
  small_blind: 'the small blind',
  big_blind: 'the big blind',
  return: 'a big blind to come back',
  straddle: 'a straddle',
  ante: 'an ante',
  dead: 'a dead blind',
} as const;

const log = {
  hand: (hand: number | null) => (hand === null ? 'New hand' : `Hand ${whole(hand)}`),
  posts: (post: PostWord, chips: string) => `posts ${POSTS[post]} ${chips}`,
  action: ({ action, chips, to, price, reason, allIn }: ActionEvent, amount: (chips: number) => string) => {
    const why = reason === 'timeout' ? ' (time is up)' : reason === 'left' ? ' (has left)' : '';
    const all = allIn ? ' and is all-in' : '';
    if (action === 'fold') return `folds${why}`;
    if (action === 'check') return `checks${why}`;
    if (action === 'call' || (action === 'all_in' && chips <= price)) return `calls ${amount(chips)}${all}`;
    if (action === 'bet' || (action === 'all_in' && price === 0 && to === chips)) return `bets ${amount(to)}${all}`;
    return `raises to ${amount(to)}${all}`;
  },
  street: (street: StreetName, pot: string) => `${STREETS[street]} · pot ${pot}`,
  returned: (chips: string) => `gets ${chips} back that nobody called`,
  shows: (words: string | null) => (words === null ? 'shows' : `shows ${words}:`),
  mucks: 'does not show',
  wins: (chips: string) => `wins ${chips}`,
  rake: (chips: string) => `The rake is ${chips}`,
  joined: 'sits down',
  left: 'leaves',
  closed: (reason: string) => `The table is closed: ${REASONS[reason] ?? 'it has ended'}`,
};

const replay = {
  scrubber: 'Place in the hand',
  side: 'About this hand',
  log: 'What happened',
  copy: 'Copy the link to this moment',
  copied: 'Copied',
  close: 'Close',
  buttons: {
    back: 'One step back',
    on: 'One step on',
    play: 'Play',
    pause: 'Pause',
    handBefore: 'Hand before',
    handAfter: 'Next hand',
    speed: 'Speed',
    hide: 'No spoilers',
    help: 'Keys',
  },
  odds: (name: string, price: string, pot: string, share: string) =>
    `${name} pays ${price} to win ${pot}: must win ${share} of the time.`,
  has: (share: string, unseen: number) =>
    unseen === 0 ? `Wins ${share}.` : `Wins ${share} against the cards that are seen.`,
  equity: {
    tab: 'Equity',
    title: 'Equity a street',
    player: 'Player',
    none: 'It needs the cards of two players that are still in. None are known here.',
    how: 'The share of the pot that a hand can expect, counted over every board that could still come.',
    without: ' Cards that nobody saw are left out.',
  },
  keysTitle: 'Keys',
  keys: [
    ['← →', 'one step back, one step on'],
    ['Home End', 'the deal, the result'],
    ['↑ ↓', 'the hand before, the next hand (of a file)'],
    ['Space', 'play, pause'],
    ['1 … 4', 'speed'],
    ['f', 'no spoilers: cards and the result are hidden till they are shown'],
    ['c', 'copy the link to this moment'],
    ['?', 'this list'],
  ] as const,
};

const hand = {
  untitled: 'Hand',
  title: (hand: number) => `Hand ${whole(hand)}`,
  table: 'The table now',
  players: 'Players',
  secretResult: 'No spoilers: who won how much comes with the result.',
  secretProof: 'No spoilers: the proof names the cards that were shown, so it comes with the result.',
  proof: 'Proof of the deal',
  proofTab: 'Proof',
  takeTab: 'Files',
  take: 'Take it with you',
  formats: [
    ['PHH', '/file?format=phh', 'phhs'],
    ['PokerStars', '/file?format=pokerstars', 'txt'],
    ['JSON', '', 'json'],
  ] as const,
  embed: 'Copy the code to embed it',
  frame: 'A hand of Agent Poker',
  whole: 'The whole hand at Agent Poker',
};

const proof = {
  none: 'The deck of this hand was not committed to before the deal.',
  computing: 'Checking …',
  ticks: (holds: boolean | null) => (holds === null ? 'not known' : holds ? 'holds' : 'does not hold'),
  lines: ({
    committed,
    announced,
    opens,
    cards,
    fixed,
    nonces,
  }: Verdict): (readonly [boolean | null, string, string])[] => [
    [
      committed && announced !== false,
      'Committed before the deal.',
      announced === null
        ? 'The deck fits the commitment in the record of the hand. Watch a table, and this page sees it a hand ahead itself.'
        : announced
          ? 'This page read the commitment while the hand before was played.'
          : 'Another deck was announced while the hand before was played.',
    ],
    [opens, 'Every shown card opens.', `${plural(cards, 'card')} of the committed deck, each at its place.`],
    [
      nonces === 0 ? null : fixed,
      'Nobody chose last.',
      nonces === 0
        ? 'No player mixed a number of its own into this shuffle.'
        : `${plural(nonces, 'player')} mixed ${nonces === 1 ? 'a number' : 'numbers'} into the shuffle${
            fixed === null ? '; whether each was fixed before, only those know who watched.' : ', fixed a hand before.'
          }`,
    ],
  ],
  how: 'How this works',
  more: 'Every formula, and what this does not prove',
  explanation: [
    'Before a hand is dealt, the server publishes a fingerprint (a SHA-256 hash) of the whole shuffled deck. It cannot change a card afterwards without changing the fingerprint.',
    'After the hand it opens the cards that were shown: for each a secret salt, with which your browser computes the fingerprint of that card and finds it in the deck. Cards that nobody saw stay closed.',
    'Players can mix secret numbers of their own into the shuffle. Each number was fixed a hand before, so nobody, the server included, can choose one when the others are known.',
    'Your browser has just computed all of this itself.',
  ],
};

const tables = {
  title: 'Tables',
  lead: 'Every table that plays now. Open one to watch.',
  table: 'Table',
  players: 'Players',
  blinds: 'Blinds',
  hands: 'Hands',
  none: 'No table is playing. Bots that join the lobby are seated here within a second.',
  first: 'Your first bot',
};

const live = {
  title: (id: string) => `Table ${id}`,
  open: 'Live',
  lost: 'The connection is lost. It comes back by itself.',
  closed: 'This table is closed.',
  gone: 'This table is closed, or there never was one.',
  full: 'Too many watch from here, or in all. This page tries again by itself.',
  thinks: (name: string, seconds: number) => `${name} has thought for ${seconds} s.`,
  others: 'All tables',
  featured: 'Watch this table',
  coming: 'The table is coming.',
  leftOut: (hands: number) => `${plural(hands, 'hand')} later`,
  side: 'About this table',
  log: 'What happens',
  pace: 'Pace',
  paces: { live: 'Live', 1: '1×', 2: '2×', 4: '4×', step: 'Step' },
  next: (waiting: number) => (waiting === 0 ? 'Next' : `Next (${whole(waiting)} wait)`),
  players: 'Players',
  watch: 'Watch this bot',
  watching: 'Watching',
  replay: (hand: number | null) => (hand === null ? 'Replay the last hand' : `Replay hand ${whole(hand)}`),
};

/** With its sign: "+420", "−60". */
const signed = (chips: number) => (chips > 0 ? `+${whole(chips)}` : chips < 0 ? `\u2212${whole(-chips)}` : '0');

export const texts = { streets: STREETS, signed, table, log, replay, hand, proof, tables, live };
