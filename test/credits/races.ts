import { postCredits } from '../../src/credits/index.js';
import { transaction } from '../../src/store/database.js';
import { account } from '../support/anvil.js';
import type { CreditHouse } from '../support/credit-house.js';

const BALANCE = 30_000;
const RACERS = 100;

/**
 * Round after round, a hundred withdrawals and season passes want an agent's whole balance at the same moment. `wrong`
 * tells of rounds in which not exactly one had it; `outcomes` who ever won.
 */
export async function raceForBalance(
  house: CreditHouse,
  rounds: number,
  onRound: (done: number) => void = () => undefined,
): Promise<{ wrong: string[]; outcomes: Set<string> }> {
  const outcomes = new Set<string>();
  const wrong: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const racer = await house.agent(account(1).address);
    await house.give(racer, BALANCE);
    const results = await Promise.all(
      Array.from({ length: RACERS }, (_, n) => (passBegins(round, n) ? buyPass(house, racer) : withdraw(house, racer))),
    );
    const won = results.filter((result) => result !== null);
    for (const result of won) outcomes.add(result);
    const left = await house.balance(racer);
    if (won.length !== 1 || left !== 0) wrong.push(`round ${round}: ${won.join(', ')}, ${left} ucents left`);
    onRound(round + 1);
  }
  return { wrong, outcomes };
}

/** A third of the racers. A withdrawal has more to look up before it takes: every other round, passes begin behind them. */
const passBegins = (round: number, n: number) => (round % 2 === 0 ? n % 3 === 0 : n >= (2 * RACERS) / 3);

async function buyPass({ sql }: CreditHouse, agent: string): Promise<'pass' | null> {
  const legs = [
    { account: { agent }, ucents: -BALANCE },
    { account: 'passes' as const, ucents: BALANCE },
  ];
  const posting = { type: 'season_pass' as const, once: null, reference: null, legs };
  return (await transaction(sql, (tx) => postCredits(tx, posting))) === 'posted' ? 'pass' : null;
}

async function withdraw(house: CreditHouse, agent: string): Promise<'withdrawal' | null> {
  try {
    await house.withdraw(agent, BALANCE / 10_000);
    return 'withdrawal';
  } catch (error) {
    if ((error as { status?: number }).status !== 402) throw error;
    return null;
  }
}
