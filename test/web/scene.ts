import { eventually } from '../support/limits.js';
import { guestAt } from './guest.js';
import { ADMIN_KEY, MARKUP, type Owner, type Stage } from './stage.js';
import { tour, type Stop } from './tour.js';

/**
 * Sets up the hard content of the pages: names of 32 letters at the table, a banned bot, and a bot without a hand.
 * There are competitions, and `hands` hands of the owner's bot. Returns the way through the pages.
 */
export async function setScene(stage: Stage, hands: number): Promise<{ owner: Owner; pages: Stop[] }> {
  const { platform } = stage;
  await guestAt(platform, await platform.register('W'.repeat(30)));
  const banned = await guestAt(platform, await platform.register('banned_bot'));
  const owner = await stage.owner('ada_is_a_bot_with_a_very_long_id');
  const fresh = await stage.owner('eve');
  await stage.play(owner, hands);
  await stage.buyPass(owner);
  const ban = `/api/admin/agents/${banned.account.agentId}/ban`;
  await platform.api('POST', ban, { key: ADMIN_KEY, body: { reason: MARKUP } });
  await eventually('the first hands are counted', async () => {
    const { body } = await platform.api('GET', '/api/season/leaderboard?limit=200');
    const rows = body as { bot_name: string; all_in_adj_bb_per_100: number | null }[];
    return rows.some(({ bot_name: name, all_in_adj_bb_per_100: rate }) => name === owner.name && rate !== null);
  });
  return { owner, pages: tour(owner, fresh, await stage.competitions(owner), await stage.played(owner)) };
}
