import type { Account, Env, TestPlatform } from '../support/platform.js';
import { Player } from '../support/player.js';

/**
 * A player of thousands of hands loses its stack again and again, and must not wait for a rebuy. Without a guest the
 * house plays a hand a minute.
 */
export const RICH: Env = { STARTING_CHIPS: 1_000_000 };

/** The most that it calls: it sees showdowns, and seldom loses its stack. */
const CALLS = 100;

/** A guest among house bots, or in a competition: it checks, calls what is cheap, and sits down again when it may. */
export async function guestAt(
  platform: TestPlatform,
  account?: Account,
  competitionId: string | null = null,
): Promise<Player> {
  const player = await Player.open(platform, account ?? (await platform.register('ada')), { competitionId });
  const join = () => player.ws.send(JSON.stringify({ type: 'join_lobby' }));
  player.auto = ({ valid_actions: offered }) => {
    const cheap = offered.find(({ action, amount }) => action === 'check' || (action === 'call' && amount <= CALLS));
    return { action: cheap?.action ?? 'fold' };
  };
  player.onFrame = ({ type }) => {
    if (type === 'busted' || type === 'table_closed') join();
  };
  join();
  return player;
}
