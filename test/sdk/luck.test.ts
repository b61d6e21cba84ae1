/**
 * The Python kit computes a closed pool's results less luck again, from the pool's file with open cards. Its numbers
 * equal the platform's to the last digit.
 */
import { execFile } from 'node:child_process';
import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { HandReader } from '../../src/analytics/hand-facts.js';
import { tally } from '../../src/analytics/keeper.js';
import { noTotals } from '../../src/analytics/totals.js';
import { LIST_END, LIST_HEAD, POOL_FORMATS } from '../../src/history/export/formats.js';
import { ALL, SPECTATOR } from '../../src/history/sight.js';
import { Hand } from '../../src/holdem/hand.js';
import { decodeRecord, encodeRecord, type StoredHand } from '../../src/table/record/record-codec.js';
import { VALUE_DATA } from '../../src/value/value-data.generated.js';
import { VALUE_FUNCTION_SHA256 } from '../../src/value/value-function.js';
import { FILE_MS } from '../support/limits.js';
import { PYTHON_KIT, pythonWith } from '../support/python.js';
import { AGENTS, storedHands } from '../value/stored-hands.js';
import { NO_PYTHON } from './kits.js';

t.setTimeout(FILE_MS);

const POOL = '018f4e0b-3333-7000-8000-00000000000a';
const HANDS = 130;
const hands = [false, true].flatMap((mixing) =>
  storedHands(HANDS, mixing ? 44 : 43, POOL, mixing).map((hand) =>
    // Ids of hands with mixes follow on the others.
    decodeRecord(encodeRecord(mixing ? { ...hand, handId: hand.handId.replace(/^018f4e0c/, '018f4e1c') } : hand)),
  ),
);
const python = await pythonWith('websockets', 'httpx');
const skip = python === null && NO_PYTHON;

/** As the platform counts them, in portions of one agent's hands. */
function counted(agentId: string) {
  const reader = new HandReader(new Hand(), null);
  const facts = hands.flatMap((hand) => {
    const own = reader.read(hand, true).find((player) => player.agentId === agentId);
    return own === undefined ? [] : [{ handId: hand.handId, facts: own }];
  });
  const { totals, shown } = tally(
    {
      agentId,
      handsPlayed: facts.length,
      unmatched: 0,
      hands: 0,
      stale: false,
      lastHandId: '',
      profit: 0,
      luck: noTotals(),
      adjustedBb: 0,
      curves: null,
      known: true,
    },
    facts,
  );
  const sums = (of: typeof totals | typeof shown) => [of?.luck_hands ?? 0, of?.luck_millionths ?? 0];
  return { all: sums(totals), shown: sums(shown) };
}

const file = (sight: typeof ALL, of: readonly StoredHand[]) =>
  LIST_HEAD +
  POOL_FORMATS.json.write({
    sight,
    inCompetition: true,
    hands: of.map((stored) => ({ stored })),
    names: new Map(),
    written: 0,
  }) +
  LIST_END;

const SCRIPT = `
import json, sys
from agent_poker.luck import tally, value_function
value = value_function()
sums = tally(json.load(open(sys.argv[1]))["hands"], value)
print(json.dumps({"sha256": value.sha256, "sums": {agent: {
    "all": [whole.hands, whole.millionths], "shown": [shown.hands, shown.millionths],
} for agent, (whole, shown) in sums.items()}}))
`;

const run = (...args: string[]) =>
  promisify(execFile)(python!, args, { env: { ...process.env, PYTHONPATH: `${PYTHON_KIT}src` } });

await t.test('both kits have the same value function', async (t) => {
  t.equal(readFileSync(`${PYTHON_KIT}src/agent_poker/value.json`, 'utf8'), VALUE_DATA);
  t.ok(VALUE_DATA.length < 1_000_000, `${VALUE_DATA.length} bytes`);
});

await t.test('a pool computed again from its file has no difference', { skip }, async (t) => {
  const path = join(t.testdir(), 'hands.json');
  writeFileSync(path, file(ALL, hands));
  const { stdout } = await run('-c', SCRIPT, path);
  const found = JSON.parse(stdout) as { sha256: string; sums: Record<string, ReturnType<typeof counted>> };
  t.equal(found.sha256, VALUE_FUNCTION_SHA256);
  for (const agent of AGENTS) t.same(found.sums[agent], counted(agent), agent);
  t.ok(
    AGENTS.every((agent) => found.sums[agent]!.shown[0]! >= 100),
    'sums of 100 hands are shown',
  );
  const few = join(t.testdir(), 'few.json');
  writeFileSync(few, file(ALL, hands.slice(0, 5)));
  const printed = await run('-m', 'agent_poker.luck', few);
  t.match(printed.stdout, `value function ${VALUE_FUNCTION_SHA256}`);
});

await t.test('the pool has mixes of every action, and they count', async (t) => {
  const mixes = hands.flatMap((hand) => hand.actions.flatMap(({ act, mix }) => (mix ? [{ act, mix }] : [])));
  t.equal(new Set(mixes.map(({ mix }) => mix.parts[mix.part]!.act)).size, 5, 'every action is drawn');
  t.ok(
    mixes.some(({ act, mix }) => act !== mix.parts[mix.part]!.act),
    'a fold where checking is free is a check',
  );
  const reader = new HandReader(new Hand(), null);
  const luckOf = (hand: StoredHand) => reader.read(hand, true).map(({ totals }) => totals.luck_millionths);
  const changed = hands.filter((hand) => {
    const plain = { ...hand, actions: hand.actions.map(({ mix: _mix, ...action }) => action) };
    return luckOf(hand).join() !== luckOf(plain).join();
  });
  t.ok(changed.length > HANDS / 2, `${changed.length} of ${HANDS} hands`);
});

await t.test('a file with hidden cards is refused', { skip }, async (t) => {
  const path = join(t.testdir(), 'hands.json');
  writeFileSync(path, file(SPECTATOR, hands.slice(0, 5)));
  await t.rejects(run('-m', 'agent_poker.luck', path), { message: /has hidden cards/ });
});
