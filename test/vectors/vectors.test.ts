/** Hands that nobody of this project made, kept with it; VECTORS names a folder with more of the same kinds. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import t from 'tap';
import type { DecisionHand, VectorDecision } from '../../src/vectors/decisions.js';
import type { PhhHand } from '../../src/vectors/phh.js';
import { checkVector } from '../../src/vectors/vectors.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const FIXTURES = join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures');
const folders = [FIXTURES, ...(process.env['VECTORS'] === undefined ? [] : [process.env['VECTORS']])];
const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
const vectorFiles = files.filter((file) => /\.jsonl(\.gz)?$/.test(file));

function linesOf(file: string): string[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return text.split('\n').filter((line) => line !== '');
}

const pluribus = linesOf(join(FIXTURES, 'pluribus-sample.jsonl'));
const random = linesOf(join(FIXTURES, 'random-hands.jsonl.gz'));

void t.test('every hand of the vectors is played as it was, legal actions and final stacks included', (t) => {
  for (const file of vectorFiles) {
    const differences = linesOf(file).flatMap((line, i) => checkVector(line, `line ${i + 1}`).differences);
    t.same(differences.slice(0, 3), [], file);
  }
  t.end();
});

void t.test('the vectors kept here are many, and hold the situations in which rules differ', (t) => {
  t.equal(pluribus.length, 1000);
  t.equal(random.length, 2500);
  for (const tag of ['short-bb-post', 'pokerkit-vs-tda-reopen', 'incomplete-raise', 'odd', 'odd>1', 'side-pots']) {
    t.ok(
      random.some((line) => line.includes(`"${tag}"`)),
      tag,
    );
  }
  t.end();
});

/** The differences of a line after one change to it. */
function changed<H>(line: string, change: (hand: H) => void): string[] {
  const hand = JSON.parse(line) as H;
  change(hand);
  return checkVector(JSON.stringify(hand), 'changed').differences.map((difference) => difference.what);
}

const tagged = (tag: string): string => random.find((line) => line.includes(tag))!;

void t.test('a wrong number anywhere in a hand with decisions is found', (t) => {
  const plain = random.find((line) => line.includes('"min_to":40') && line.includes('"tags":[]'))!;
  const short = tagged('short-bb-post');
  for (const line of [plain, short]) {
    const differs = (change: (hand: DecisionHand) => void): string[] => changed(line, change);
    const raise = (hand: DecisionHand): VectorDecision => hand.decisions.find((d) => d.min_to !== null)!;
    t.same(
      differs(() => undefined),
      [],
      'unchanged',
    );
    t.ok(differs((hand) => (hand.decisions[0]!.p += 1)).includes('seat'));
    t.ok(differs((hand) => (hand.decisions[0]!.to_call += 1)).includes('toCall'));
    t.ok(differs((hand) => (raise(hand).min_to! += 1)).includes('minTo'));
    t.ok(differs((hand) => (raise(hand).max_to! -= 1)).includes('maxTo'));
    t.ok(differs((hand) => (raise(hand).tda_raise = false)).includes('minTo'));
    t.ok(differs((hand) => (hand.decisions[0]!.pot += 1)).includes('pot'));
    t.ok(differs((hand) => (hand.decisions[0]!.bets[0]! += 1)).includes('bets'));
    t.ok(differs((hand) => (hand.decisions[0]!.stacks[1]! += 1)).includes('stacks'));
    t.ok(differs((hand) => hand.decisions.pop()).length > 0);
    t.ok(differs((hand) => hand.decisions.push(hand.decisions[0]!)).length > 0);
    t.ok(differs((hand) => (hand.finish_each[0]! += 1)).some((what) => what.startsWith('final stacks')));
  }
  t.end();
});

void t.test('a raise that TDA rule 47 forbids is refused, and the hand is then held against the rulebook', (t) => {
  const line = random.find((text) => {
    const hand = JSON.parse(text) as DecisionHand;
    return hand.decisions.some((d) => !d.tda_raise && d.min_to !== null);
  })!;
  const raiseAnyway = (to: (least: number) => number | null) => (hand: DecisionHand) => {
    const forbidden = hand.decisions.find((d) => !d.tda_raise && d.min_to !== null)!;
    forbidden.act = 'cbr';
    forbidden.to = to(forbidden.min_to!);
  };
  t.same(
    changed(
      line,
      raiseAnyway((least) => least),
    ),
    [],
    'the player then calls',
  );
  t.same(
    changed(
      line,
      raiseAnyway(() => null),
    ),
    ['action refused'],
    'a raise of nothing is an error of the vector',
  );
  t.end();
});

void t.test('a wrong word or number anywhere in a hand in PHH words is found', (t) => {
  const line = pluribus.find((text) => text.includes('d db') && text.includes('sm'))!;
  const differs = (change: (hand: PhhHand) => void): string[] => changed(line, change);
  const replace = (from: RegExp, to: string) => (hand: PhhHand) => {
    const at = hand.actions.findIndex((action) => from.test(action));
    hand.actions[at] = hand.actions[at]!.replace(from, to);
  };
  t.same(
    differs(() => undefined),
    [],
    'unchanged',
  );
  t.same(differs(replace(/^p3 /, 'p4 ')), ['actor']);
  t.same(differs(replace(/cbr \d+/, 'cbr 1')), ['refusal']);
  t.same(differs(replace(/^(d db ....)..$/, '$1')), ['board cards open']);
  t.same(
    differs((hand) => (hand.finish[0]! += 1)),
    ['final stacks'],
  );
  t.same(
    differs((hand) => (hand.actions = hand.actions.slice(0, 8))),
    ['hand over'],
  );
  t.same(
    differs((hand) => (hand.antes = [5, 5, 5, 5, 5, 5])),
    ['antes'],
  );
  t.same(
    differs((hand) => (hand.blinds[2] = 200)),
    ['number of blinds'],
  );
  t.same(
    differs((hand) => (hand.min_bet = 50)),
    ['minimum bet'],
  );
  t.end();
});

void t.test('a heads-up hand in PHH words has the button in the second place', (t) => {
  const hand: PhhHand = {
    id: 'heads-up',
    // The format reverses the blinds of two players: the second posts 50.
    blinds: [50, 100],
    min_bet: 100,
    start: [1000, 1000],
    actions: ['d dh p1 ????', 'd dh p2 AsAd', 'p2 cbr 300', 'p1 f'],
    finish: [900, 1100],
  };
  t.same(checkVector(JSON.stringify(hand), 'line').differences, []);
  t.end();
});

void t.test('a line that is no hand is a difference that says where it stands', (t) => {
  for (const line of ['{', '[]', 'null', '{"actions":[]}', random[0]!.replace('"Kc"', '"Kx"')]) {
    const { differences } = checkVector(line, 'line 7');
    t.match(differences, [{ hand: 'line 7', what: 'format' }], line.slice(0, 40));
  }
  t.end();
});

void t.test('the command line', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vectors-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const good = join(folder, 'good.jsonl.gz');
  const bad = join(folder, 'bad.jsonl');
  const wrong = random.slice(0, 15).map((line) => line.replace('"to_call":', '"to_call":1'));
  writeFileSync(good, gzipSync([random[0], pluribus[0], ''].join('\n')));
  writeFileSync(bad, wrong.join('\n'));
  const run = (...args: string[]) => {
    const cli = join(import.meta.dirname, '..', '..', 'src', 'vectors', 'cli.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  void t.test('ends with 0 and counts hands and decisions of both formats when all is as told', (t) => {
    const { status, stdout } = run(good);
    t.equal(status, 0);
    t.match(stdout, /good\.jsonl\.gz: 2 hands, \d+ decisions, 0 differences/);
    t.end();
  });

  void t.test('ends with 1 on a difference and prints the first ten in full', (t) => {
    const { status, stdout } = run(good, bad);
    t.equal(status, 1);
    t.equal(stdout.match(/^ {2}expected /gm)?.length, 10);
    t.equal(stdout.match(/^ {2}\{"id":/gm)?.length, 10, 'the line itself is printed too');
    t.match(stdout, /bad\.jsonl: 15 hands, \d+ decisions, \d+ differences in 15 hands/);
    t.end();
  });

  void t.test('ends with 2 when there is nothing to read', (t) => {
    t.equal(run().status, 2);
    for (const name of ['none.jsonl', 'none.jsonl.gz']) {
      const { status, stderr } = run(join(folder, name));
      t.equal(status, 2);
      t.match(stderr, /ENOENT/);
    }
    t.end();
  });
  t.end();
});
