/**
 * The packed Python kit in an empty folder plays in memory. It is a command of a match, the program that starts a
 * match, and the environment of a learner. One seed is one match on any engine.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import type { SelfplayReport } from '../../../src/selfplay/report.js';
import { FILE_MS } from '../../support/limits.js';
import { bareEnv, temporaryFolder } from '../../support/platform.js';
import { installKit, NO_PACKING, packKit, PACKING, pythonWith } from '../../support/python.js';

t.setTimeout(FILE_MS);

const CLI = fileURLToPath(new URL('../../../src/selfplay/cli.js', import.meta.url));
const run = promisify(execFile);
const packer = await pythonWith(...PACKING);
const skip = packer === null && NO_PACKING;

/** A bot as kits.md shows it: the same file plays over the network. */
const BOT = `from agent_poker import play_bot

def decide(hand):
    if hand.can_check:
        return hand.check()
    return hand.call() if hand.to_call <= hand.pot / 4 else hand.fold()

if __name__ == "__main__":
    print("this goes to stderr")
    print("played", play_bot(decide=decide).hands)
`;

/** The same through Bot.run(), and with a decide that is a coroutine. */
const ASYNC_BOT = `import asyncio
import my_bot
from agent_poker import Bot, Options

async def decide(hand):
    return my_bot.decide(hand)

asyncio.run(Bot(Options(decide=decide)).run())
`;

const TRAINER = `import json, sys
from agent_poker.errors import KitError
from agent_poker.selfplay import play
from my_bot import decide

results = []
report = play(decide, opponents=["rock"], hands=400, seed=9, engine=sys.argv[1:], on_result=results.append)
report["told"] = [len(results), sum(result.chips for result in results)]
print(json.dumps(report))
try:
    play(decide, opponents=["nobody"], engine=sys.argv[1:])
except KitError as error:
    print(json.dumps(str(error)))
`;

const LEARNER = `import json, random, sys
from agent_poker.env import ACTIONS, OBSERVATION_SIZE, PokerEnv
from agent_poker.errors import IllegalAction

engine = sys.argv[1:]

def episode(env, seed, dice):
    env.reset(seed=seed)
    seen, rewards = [], {}
    for agent in env.agent_iter():
        view, reward, terminated, truncated, info = env.last()
        assert not truncated and len(view["observation"]) == OBSERVATION_SIZE and len(view["action_mask"]) == len(ACTIONS)
        hand = view["hand"]
        if terminated:
            rewards[agent] = reward
            env.step(None)
            continue
        assert reward == 0 and any(view["action_mask"])
        assert hand.seat == env.possible_agents.index(agent) and sum(pot.amount for pot in hand.pots) == hand.pot
        for other in env.possible_agents:
            assert env.hands[other].board == hand.board
            if other != agent:
                assert sum(env.observe(other)["action_mask"]) == 0 and env.hands[other].hole != hand.hole
        for action, may in enumerate(view["action_mask"]):
            if not may:
                try:
                    env.step(action)
                    raise SystemExit(f"{ACTIONS[action]} should be refused")
                except IllegalAction:
                    pass
        seen.append([agent, hand.hole, hand.board, hand.pot])
        env.step(dice.choice([action for action, may in enumerate(view["action_mask"]) if may]))
    return [seen, rewards]

with PokerEnv(agents=3, engine=engine) as env:
    episodes = [episode(env, seed, random.Random(seed)) for seed in range(60)]
    again = [episode(env, seed, random.Random(seed)) for seed in range(60)]
    env.reset(seed=4)
    first = env.agent_selection
    env.reset()
    buttons = [env.hands["agent_0"].button, env.hands["agent_0"].hand_id]
with PokerEnv(agents=1, opponents=["shark", "rock"], engine=engine) as env:
    beside = [episode(env, seed, random.Random(seed)) for seed in range(30)]
    repeated = [episode(env, seed, random.Random(seed)) for seed in range(30)]
    env.reset(seed=3)
    env.step({"action": "fold"}) if env.agents and not env.terminations["agent_0"] else None
print(json.dumps({
    "same": episodes == again, "beside": beside == repeated, "buttons": buttons,
    "sums": [sum(rewards.values()) for _, rewards in episodes],
    "won": len([1 for _, rewards in episodes if any(rewards.values())]),
    "turns": sum(len(seen) for seen, _ in episodes), "distinct": len({json.dumps(e) for e in episodes}),
}))
`;

await t.test('the packed kit plays in memory', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const python = await installKit(packer!, folder, await packKit(packer!, folder));
  for (const [name, text] of Object.entries({
    my_bot: BOT,
    async_bot: ASYNC_BOT,
    trainer: TRAINER,
    learner: LEARNER,
  })) {
    writeFileSync(join(folder, `${name}.py`), text);
  }
  const engine = [process.execPath, CLI];
  /** The kit says `ENGINE selfplay --options`: a script in the place of agent-poker drops its word. */
  writeFileSync(join(folder, 'engine.mjs'), `process.argv.splice(1, 2, ${JSON.stringify(CLI)});\nawait import(${JSON.stringify(CLI)});\n`); // prettier-ignore
  const script = (name: string) =>
    run(python, [`${name}.py`, process.execPath, 'engine.mjs'], { cwd: folder, env: bareEnv({}) });

  await t.test('as a command of a match', async (t) => {
    const played = async (file: string, ...more: string[]) => {
      const args = [
        ...engine.slice(1),
        '--bots',
        'rock',
        '--bot',
        `${python} ${file} --stdio`,
        '--seed',
        '9',
        '--json',
      ];
      const env = { ...bareEnv({}), INIT_CWD: folder };
      const { stdout, stderr } = await run(engine[0]!, [...args, '--hands', '400', ...more], { cwd: folder, env });
      const report = JSON.parse(stdout) as SelfplayReport;
      return { report, stderr, chips: report.bots.find(({ bot }) => bot === 'rock')!.chips };
    };
    const one = await played('my_bot.py', '--tables', '1', '--threads', '1');
    t.match(one.report.bots.map(({ bot }) => bot).sort(), ['my_bot', 'rock']);
    const own = one.report.bots.find(({ bot }) => bot === 'my_bot')!;
    t.match({ refused: own.refused, ...own.lines }, { refused: 0, late: 0, unreadable: 0 });
    t.ok(own.lines!.turns > 100, `${own.lines!.turns} decisions`);
    t.match(one.stderr, /^this goes to stderr\nplayed 400$/m);
    t.equal((await played('my_bot.py', '--tables', '64')).chips, one.chips, 'whatever number of tables');
    t.equal((await played('async_bot.py')).chips, one.chips, 'and so plays Bot.run() with a coroutine');

    const { stdout, stderr } = await script('trainer');
    const [report, failure] = stdout.trim().split('\n').map((line) => JSON.parse(line) as unknown); // prettier-ignore
    const { bots, told } = report as SelfplayReport & { told: unknown };
    t.equal(bots.find(({ bot }) => bot === 'rock')!.chips, one.chips, 'play() plays the same match');
    t.same(told, [400, -one.chips], 'and tells each result');
    t.equal(failure, 'the engine ended with exit code 2 and without a report');
    t.match(stderr, /neither a bot of the house nor a module/);
  });

  await t.test('as an environment', async (t) => {
    const { stdout } = await script('learner');
    const { sums, won, turns, distinct, ...same } = JSON.parse(stdout) as Record<string, unknown>;
    t.same(same, { same: true, beside: true, buttons: [5 % 3, '5'] });
    t.ok((sums as number[]).every((sum) => sum === 0), 'what one wins others lose'); // prettier-ignore
    t.ok(Number(won) > 50 && Number(turns) > 120 && distinct === 60, stdout);
  });
});
