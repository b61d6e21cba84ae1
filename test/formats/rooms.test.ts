/** Files of rooms that cannot be read are recognised by their own headers, and those that can are not. */
import t from 'tap';
import { foreignRoom } from '../../src/formats/rooms.js';

const HEADERS: readonly (readonly [room: string, ...texts: string[]])[] = [
  ['Winamax', 'Winamax Poker - CashGame - HandId: #1-2-3 - Holdem no limit (0.01€/0.02€) - 2024/10/08 17:34:46 UTC'],
  ['GGPoker', "Poker Hand #RC114:  Hold'em No Limit ($0.50/$1.00) - 2026/01/05 9:00:00", 'Poker Hand #HD22: x'],
  ['Bovada', 'Bovada Hand #3754 Zone Poker ID#1 HOLDEM No Limit', 'Bodog.eu Hand #1: HOLDEM', 'Bodog UK Hand #1: x'],
  ['Ignition', 'Ignition Hand #3548320887: HOLDEM Tournament #1 TBL#1, Normal- Level 1 (10/20)'],
  ['Full Tilt', "Full Tilt Poker Game #19: Table Jay - $0.01/$0.02 - No Limit Hold'em", 'FullTiltPoker Game #5: x'],
  [
    '888poker',
    '#Game No : 738293395\n***** 888poker Hand History for Game 738293395 *****',
    '***** 888.es Hand History for Game 7 *****',
    '#Game No : 7\n***** Cassava Hand History for Game 7 *****',
  ],
  [
    'PartyPoker',
    "#Game No : 14\n***** Hand History for Game 14 *****\n€4 EUR NL Texas Hold'em",
    '***** Hand History For Game 1770659766668adeb0h5qfm *****',
  ],
  ['Everleaf', 'Everleaf Gaming\n***** Hand history for game #75065769 *****'],
  ['OnGame', '***** History for hand R5-244090560-4 *****\nStart hand: Wed Aug 24 17:59:45 EEST 2011'],
  [
    'iPoker',
    '<?xml version="1.0" encoding="utf-8"?>\n<session sessioncode="2297128">',
    'GAME #7 Version:1.2 Uncalled:Y',
  ],
  ['Merge', '<description type="Holdem" stakes="No Limit ($0.25/$0.50)"/>', 'MERGE_GAME #7: x'],
  ['MicroGaming', '<Game hhversion="4" id="1" tablename="x">'],
  ['Boss Media', '<HISTORY ID="1" SESSION="2">'],
  [
    'Winning Poker Network',
    'Hand #68217077 - Holdem(No Limit) - $0.05/$0.10 - 2019/06/28 02:38:17 UTC',
    'Game Hand #8 - Tournament #1 - Holdem(No Limit) - Level 15 (250.00/500.00)',
    'Game started at: 2014/3/9 19:37:22\nGame ID: 1 0.05/0.1',
  ],
  ['Poker Now', 'entry,at,order\n"-- ending hand #1 --",2026-09-15T10:00:03.000Z,4'],
  ['Open Hand History', '{"ohh": {"spec_version": "1.4.6"}}', '[{ "spec_version": "1.2", "site_name": "x" }]'],
  ['PokerStars in French', "Main PokerStars n°1 :  Hold'em No Limit (1/2)", 'Siège 1: a (2 en jetons)\nSiège 2: b (2)'],
  ['PokerStars in Spanish', "Mano n.º 254718322088 de Zoom de PokerStars:  Hold'em No Limit (0.02 €/0.05 €)"],
  ['PokerStars in Portuguese', "PokerStars Mão #250000000001: Torneio #39, Hold'em No Limit - Nível I (10/20)"],
  ['PokerStars in German', "PokerStars Hand #111:  Hold'em No Limit\nann: setzt Small Blind $0.50\nann: passt"],
  ['PokerStars in Russian', 'Раздача PokerStars №260693414028:  Холдем Безлимитный ($0.01/$0.02 USD)'],
  ['PokerStars in another language', "Kéz PokerStars #260693414028:  Hold'em No Limit"],
  ['CoinPoker', 'CoinPoker Hand #6345250344: NLH (₮0.01/₮0.02) 2026/06/07 19:56:35 CEST'],
  ['Some Other Room', 'Some Other Room Hand #12: Holdem'],
];

await t.test('each is named, also with lines and a mark before its header', (t) => {
  for (const [room, ...texts] of HEADERS) {
    for (const text of texts) {
      t.equal(foreignRoom(text), room, text);
      t.equal(foreignRoom(text.replaceAll('\n', '\r\n')), room, `${text} with CRLF`);
      if (!/^[{[]/.test(text)) t.equal(foreignRoom(`\n*********** n. 1 **************\n${text}`), room);
    }
  }
  t.end();
});

await t.test('what can be read, or is no hand at all, is no room', (t) => {
  for (const text of [
    "PokerStars Hand #111:  Hold'em No Limit ($0.50/$1.00 USD) - 2026/01/05 9:00:00 ET",
    "PokerStars Zoom Hand #111:  Hold'em No Limit ($0.50/$1.00 USD)\nSeat 1: Winamax Poker - x ($1 in chips)",
    "PokerStars Game #21969660557:  Hold'em No Limit ($0.50/$1.00) - 2008/09/07 06:23:14 ET",
    "PokerStars Home Game Hand #211969660557: {Club #1}  Hold'em No Limit ($0.50/$1.00)",
    "*********** # 1 **************\nPokerStars Hand #211969660557:  Hold'em No Limit (1/2)",
    "variant = 'NT'\nhand = 123456789\n# PokerStars 123456789 as a comment",
    '{"hands": []}',
    'hand_id,hand_number\n',
    'hello',
    '',
  ]) {
    t.equal(foreignRoom(text), null, text);
  }
  t.end();
});
