/** Small files, each with one fault or one oddity: it is read right, or it is refused with the line and the reason. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Account } from '../../src/formats/account.js';
import { decodeHandFile } from '../../src/formats/decode.js';
import { HandFileError, readHandFile, type ReplayHand } from '../../src/formats/index.js';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'test', 'formats', 'cases');

/** The chips of each player at the end, in seat order, or what the list of unreadable hands says. */
type Outcome = readonly number[] | RegExp;

/** By file, for each hand of it. */
const CASES: Readonly<Record<string, readonly Outcome[]>> = {
  'phh-01-showdown-no-result': [[1040, 980, 980]],
  'phh-02-sm-dash': [[1040, 980, 980]],
  'phh-03-out-of-turn': [/^#1, line 6: p1 acts, and it is the turn of p3/],
  'phh-04-raise-below-price': [/^#1, line 6: p1 raises to 25, and the price is 60/],
  'phh-06-negative-post': [/^#1, line 3: The field blinds_or_straddles has -20, which is a negative amount/],
  'phh-07-button-straddle': [[1080, 960, 960]],
  'phh-08-cut-mid-actions': [/^#1, line 6: This is not TOML/],
  'phh-09-dup-cards': [/^#1, line 6: The card Ac is dealt twice/],
  'phh-10-no-actions': [/^#1, line 6: The hand ends, and it is the turn of p3/],
  'phh-11-triple-quotes': [[990, 1010, 1000]],
  'phh-12-unicode-escape': [[990, 1010, 1000]],
  'phh-13-inline-table-date': [[990, 1010, 1000]],
  'phh-14-dotted-quoted-keys': [[990, 1010, 1000]],
  'phh-16-commentary': [[480, 520]],
  'phh-17-float-allin': [[440, 170]],
  'phh-19-short-bb': [/^#1, line 7: p3 ends with 980, and 985 were left/],
  'phh-20-fixed-limit': [/^#1, line 1: .*Fixed-Limit Hold'em/],
  'phh-21-six-plus': [/^#1, line 1: .*Short-Deck Hold'em/],
  'phh-22-run-twice': [/^#1, line 6: .*run twice/],
  'phh-23-missing-blinds': [/^#1, line 1: The hand has no blinds_or_straddles/],
  'phh-24-inf-stack': [/^#1, line 5: The field starting_stacks has Infinity/],
  'phh-25-chips-nan': [/^#1, line 6: "1e400" is no amount/],
  'phh-26-winnings-and-finish-differ': [/^#1, line 7: 9000 are won from a pot of 50/],
  'phh-28-leading-space-actions': [[1020, 980, 1000]],
  'phh-30-bb-ante-hu': [[1010, 990]],
  'phh-32-partial': [/^#1, line 6: The hand ends, and it is the turn of p2/],
  'phh-33-leading-space-double': [[1020, 980, 1000]],
  'pokerstars-01-dead-blind': [[9900, 9950, 10500, 9650]],
  'pokerstars-02-short-bb': [[9940, 9950, 170]],
  'pokerstars-03-sitting-out-dead-button': [[9900, 10100, 10000]],
  'pokerstars-04-run-twice': [/^#1, line 10: .*run twice/],
  'pokerstars-05-cents-all-in': [/^#1, line 5: ann posts \$0\.10 and owes \$0\.50/],
  'pokerstars-06-no-uncalled-line': [[9900, 10100, 10000]],
  'pokerstars-07-truncated': [/^#1, line 14: The hand is cut/],
  'pokerstars-08-cut-midline': [/^#1, line 25: The hand is cut/],
  'pokerstars-09-cp1252': [/^#1, line 5: André posts €0\.10 and owes €0\.50/],
  'pokerstars-10-utf16': [/^#1, line 5: André posts €0\.10 and owes €0\.50/],
  'pokerstars-11-bom-crlf': [/^#1, line 5: André posts €0\.10 and owes €0\.50/],
  'pokerstars-13-cr-only': [[9950, 10050]],
  'pokerstars-14-home-game': [[9950, 10050]],
  'pokerstars-15-yen': [[9950, 10050]],
  'pokerstars-17-kr': [/^#1, line 1: The stakes \(0,50 kr\/1,00 kr USD\) are not understood/],
  'pokerstars-18-unicode-names': [[9950, 10050]],
  'pokerstars-19-german': [/^#1, line 5: The hand is of PokerStars in German/],
  'pokerstars-20-6plus': [/^#1, line 1: .*this is "6\+ Hold'em No Limit"/],
  'pokerstars-21-mixed-omaha-second': [[9950, 10050], /^#2, line 14: .*this is "Omaha Pot Limit"/],
  'pokerstars-23-cancelled': [/^#1, line 8: The hand was cancelled/],
  'pokerstars-24-same-card-thrice': [/^#1, line 10: The card 2c is dealt twice/],
  'pokerstars-25-seat-said-line': [/^#1, line 9: This line is not known: "Seat 9: zz/],
  'pokerstars-27-out-of-turn': [/^#1, line 8: bo acts, and it is the turn of ann/],
  'pokerstars-29-numbered-archive': [
    [9950, 10050],
    [9950, 10050],
  ],
  'pokerstars-30-leading-space': [[9950, 10050]],
  'pokerstars-31-thousands-euro-decimal': [/^#1, line 3: "\$1\.000,50" is no amount in whole cents/],
  'pokerstars-32-ggpoker': [/^file, line 1: The file is of GGPoker/],
  'pokerstars-34-stacks-in-bb': [/^#1, line 3: This line is not known: "Seat 1: ann \(100 BB in chips\)"/],
  'json-01-players-no-shown': [/^#1, line 1: The record must have required properties/],
  'json-02-null-in-list': [/^#1, line 1: This is no record of a hand/],
  'json-03-ohh': [/^#1, line 1: The hand is of Open Hand History/],
  'json-04-events-bad': [/^#1, line 1: The record must have required properties/],
  'json-05-street-word': [/^#1, line 3: The record must have required properties/],
  'json-06-one-player': [/^#1, line 3: The record must have required properties/],
  'json-08-seat-77': [/^#1, line 3: The record must have required properties/],
  'json-09-csv': [/^#1, line 2: The file does not have the columns "players" and "actions"/],
  'json-10-empty-list': [/^file, line 1: The file holds no hand/],
  'json-11-list-of-lists': [/^#1, line 1: This is no record of a hand/, /^#2, line 1: This is no record of a hand/],
  'json-12-public-no-seats': [/^#1, line 1: The record must have required properties/],
  'json-14-board-14': [/^#1, line 3: The record must have required properties/],
  'json-16-string-stack': [/^#1, line 3: The record must have required properties/],
  'json-17-board-4cards-2': [/^#1, line 3: The record must have required properties/],
};

const endOf = (hand: ReplayHand) => hand.players.map(({ seat }) => new Account(hand).stackEnd(seat));

/** The entries of the file, as a reader sees them. */
function seen(bytes: Uint8Array): (number[] | string)[] {
  try {
    const { hands, unreadable } = readHandFile(decodeHandFile(bytes));
    return [
      ...hands.map(endOf),
      ...unreadable.map(({ number, line, reason }) => `#${number}, line ${line}: ${reason}`),
    ];
  } catch (error) {
    if (error instanceof HandFileError) return [`file, line ${error.line}: ${error.message}`];
    throw error;
  }
}

const files = readdirSync(FOLDER);

void t.test('each case has a file, and each file is a case', (t) => {
  t.same(files.map((file) => file.replace(/\.\w+$/, '')).sort(), Object.keys(CASES).sort());
  t.end();
});

for (const file of files) {
  void t.test(file, (t) => {
    const outcomes = seen(readFileSync(join(FOLDER, file)));
    const wanted = CASES[file.replace(/\.\w+$/, '')] ?? [];
    t.equal(outcomes.length, wanted.length, JSON.stringify(outcomes));
    for (const [i, each] of wanted.entries()) {
      if (each instanceof RegExp) t.match(outcomes[i], each);
      else t.same(outcomes[i], each);
    }
    t.end();
  });
}

void t.test('a file of brackets alone, as deep as it is long', (t) => {
  t.match(seen(new TextEncoder().encode('['.repeat(200_000))), [/^#1, line 1: The JSON of the hand is not whole/]);
  t.end();
});
