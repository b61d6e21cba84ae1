import type { Twins } from './twins.js';

/** All rows of both, in the same words. */
export async function rowsOf(twins: Twins): Promise<[real: unknown, vault: unknown]> {
  const entries = await twins.sql`
    select agent_id as "agentId", chip_balance as "chipBalance", chips_at_table as "chipsAtTable",
      table_id as "tableId", seat_no as "seatNo", sitting, rebuys, auto_rebuy as "autoRebuy", premium,
      hands_played as "handsPlayed", hands_won as "handsWon", rebuy_due_at is not null as due,
      case when returns_until is not null then json_build_object('paidHands', paid_hands, 'excused', small_blind_excused) end as owes
    from entries order by pool_id, agent_id`;
  const tables = await twins.sql`
    select table_id as "tableId", shard_no as "shardNo", status, hand_number as "handNumber", button_seat as button,
      big_blind_seat as "bigBlindSeat", seq_reserved as "seqReserved" from tables order by table_id`;
  const [sums] = await twins.sql`
    select (select count(*) from chip_ledger) as ledger, (select count(*) from hands) as hands,
      (select count(*) from seasons) as seasons`;
  const standings = await twins.sql`
    select season_id as "seasonId", rank, agent_id as "agentId", bot_name as "botName", score,
      chip_balance as "chipBalance", rebuys, hands_played as "handsPlayed", hands_won as "handsWon", badge,
      prize_cents as "prizeCents" from season_standings join seasons using (season_id) order by season_number, rank`;
  const credits = await twins.sql`
    select once, coalesce(agent_id::text, kind) as account, amount as ucents
    from credit_postings join credit_transactions using (transaction_id) join credit_accounts using (account_id)
    where kind <> 'deposits' order by once, account`;
  const mails = await twins.sql<{ dedupe_key: string }[]>`select dedupe_key from mail_outbox order by dedupe_key`;
  const sorted = [...twins.vault.allEntries()].sort((a, b) =>
    `${a.poolId} ${a.agentId}` < `${b.poolId} ${b.agentId}` ? -1 : 1,
  );
  const vault = {
    entries: sorted.map(({ poolId: _, lastRebuyAt: _1, rebuyDueAt, registeredAt: _2, owes, ...entry }) => ({
      ...entry,
      due: rebuyDueAt !== null,
      owes: owes && { paidHands: owes.paidHands, excused: owes.excused },
    })),
    tables: [...twins.vault.tables.values()]
      .sort((a, b) => (a.tableId < b.tableId ? -1 : 1))
      .map(({ poolId: _, ...table }) => table),
    sums: { ledger: twins.vault.ledger.length, hands: twins.vault.hands.size, seasons: twins.vault.seasons.length },
    standings: twins.vault.standings,
    credits: twins.vault.credits.toSorted((a, b) => (`${a.once} ${a.account}` < `${b.once} ${b.account}` ? -1 : 1)),
    mails: [...twins.vault.mails].sort(),
  };
  const real = {
    entries: [...entries],
    tables: [...tables],
    sums,
    standings: [...standings],
    credits: credits.toSorted((a, b) => (`${a.once} ${a.account}` < `${b.once} ${b.account}` ? -1 : 1)),
    mails: mails.map(({ dedupe_key }) => dedupe_key).sort(),
  };
  return [real, vault];
}
