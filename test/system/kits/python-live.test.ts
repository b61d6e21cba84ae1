/**
 * The Python kit against the real server: correct hands, also over lean frames, busts and rebuys, a takeover, the REST
 * API. Then as a stranger has it: the packed package in an empty environment, ten lines, the first hand.
 */
import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { stopCluster } from '../../support/database.js';
import { FILE_MS } from '../../support/limits.js';
import { bareEnv, temporaryFolder, TestPlatform } from '../../support/platform.js';
import { installKit, NO_PACKING, packKit, PACKING, PythonProgram, pythonWith } from '../../support/python.js';
import { NO_PYTHON } from '../../sdk/kits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const run = promisify(execFile);
// All awaits come before the first test.
const python = await pythonWith('websockets', 'httpx');
const packer = await pythonWith(...PACKING);
const noPacker = packer === null && NO_PACKING;

void t.test('it plays, busts, yields and asks', { skip: python === null && NO_PYTHON }, async (t) => {
  const platform = await TestPlatform.start(t, {
    REBUY_COOLDOWNS: '0',
    WS_CONNECTS_PER_MINUTE: 10_000,
    BETWEEN_HANDS_MS: 100,
  });
  const program = new PythonProgram(t, python!, [join(root, 'test/sdk/live.py')], { BASE_URL: platform.url });

  const play = await program.line();
  const { what, reason, odd, faults, warnings } = play;
  t.same({ what, reason, odd, faults, warnings }, { what: 'play', reason: 'hands', odd: [], faults: [], warnings: [] });
  t.ok(Number(play['hands']) >= 25 && Number(play['decisions']) >= 25, JSON.stringify(play));
  t.ok(Number(play['checked']) >= 25 && Number(play['counted']) >= 20, 'with its own part in most of the decks');

  const rest = await program.line();
  const { total, file, ...asked } = rest;
  t.same(asked, {
    what: 'rest',
    name: 'py_0',
    hands: total,
    exported: total,
    proof: [],
    ledger: ['buy_in', 'cash_out', 'grant'],
    refusal: [404, 'Table not found', 'getTable'],
  });
  t.match(file, [/^text\/csv/, /\.csv$/, Number(total) + 1]);

  const { hands, decisions, ...lean } = await program.line();
  t.same(lean, {
    what: 'lean',
    reason: 'hands',
    odd: [],
    warnings: [],
    frames: ['ack', 'hand', 'result', 'turn'],
  });
  t.ok(Number(hands) >= 15 && Number(decisions) >= 15, JSON.stringify({ hands, decisions }));

  t.same(await program.line(), { what: 'bust', warnings: [] });
  t.same(await program.line(), { what: 'never', reason: 'busted' });
  t.same(await program.line(), { what: 'takeover', reason: 'taken_over', code: 4002, warnings: [] });
  t.same(await program.line(), { what: 'refused', reason: 'refused', code: 4001 });
  t.equal(await program.ended, 0, 'it ended well', { diag: program.output });

  // A house of calm players is the example's company.
  const host = await TestPlatform.start(t, { HOUSE_BOTS: 3, LOBBY_GRACE_MS: 100 });
  const env = { BASE_URL: host.url, NAME: 'kit_py', HANDS: 1 };
  const example = new PythonProgram(t, python!, [join(root, 'examples/kit_bot.py')], env);
  t.equal(await example.ended, 0);
  t.match(example.output, /^1 hands, \d+ chips: hands$/m, 'and so does the example');
});

const BOT = `import sys
from agent_poker import play_bot

def decide(hand):
    if hand.can_check:
        return hand.check()
    return hand.call() if hand.to_call <= hand.pot / 4 else hand.fold()

summary = play_bot(url=sys.argv[1], name="my_bot", hands=1, decide=decide)
print(summary.hands, summary.reason)
`;

void t.test('ten lines on the packed package play a hand', { skip: noPacker }, async (t) => {
  const folder = temporaryFolder(t);
  const wheel = await packKit(packer!, folder);
  const platform = await TestPlatform.start(t, { HOUSE_BOTS: 3, LOBBY_GRACE_MS: 100 });

  const started = performance.now();
  const own = await installKit(packer!, folder, wheel);
  const installed = performance.now();
  writeFileSync(join(folder, 'bot.py'), BOT);
  const { stdout, stderr } = await run(own, ['bot.py', platform.url], { cwd: folder, env: bareEnv({}) });
  const played = performance.now();
  t.match(stdout, /^1 hands\n$/);
  t.match(stderr, /^my_bot: sits at table /m, 'it tells people how it does');
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  t.comment(
    `figure: the packed Python kit: installed in ${seconds(installed - started)} s, first hand in ${seconds(played - started)} s`,
  );

  const needs = await run(own, ['-c', 'from importlib.metadata import requires; print(*requires("agent-poker"))'], {
    cwd: folder,
  });
  t.match(needs.stdout, /websockets \(?>=10\.4\)?(\s|$)/, 'later versions are let in');

  const where = await run(own, ['-c', 'import agent_poker; print(agent_poker.__file__)'], { cwd: folder });
  t.match(where.stdout, join(folder, 'empty'), 'from the package, not from the repository');
  const site = where.stdout.replace(/\/__init__\.py\n$/, '');
  t.ok(readdirSync(site).includes('py.typed') && readdirSync(site).includes('_generated'), 'with its types');
});
