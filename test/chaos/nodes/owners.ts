import { retrying, type Database } from '../../../src/store/database.js';

/** Changes of shards and tables, as a log has them. */
export type Owned =
  /** A shard has another epoch, or another holder. */
  | { what: 'epoch'; shard: number; epoch: string; held: boolean }
  /** A table is a shard's; -1: it waits for one. */
  | { what: 'table'; table: string; shard: number }
  /** A shard stored a hand, by the epoch that it named. */
  | { what: 'hand'; table: string; shard: number; epoch: string; hand: string; number: number };

/** The state after the log so far. */
export class Ownership {
  /** By shard. */
  readonly epochs = new Map<number, string>();
  readonly held = new Map<number, boolean>();
  /** By table: its shard, and its last hand. */
  readonly shards = new Map<string, number>();
  readonly numbers = new Map<string, number>();
}

/**
 * The owners of tables. Triggers keep a log beside the guards of the product's own statements. Each stored hand must be of the shard that had its table just
 * then, in that shard's epoch, and no hand is missing. A table goes to no shard of an ended node.
 */
export class Owners {
  readonly #seen = new Ownership();
  /** Everything up to this transaction is read. */
  #read = '0';
  #hands = 0;

  constructor(private readonly sql: Database) {}

  /** Before anybody plays. */
  static async install(sql: Database): Promise<Owners> {
    await sql.unsafe(LOG);
    return new Owners(sql);
  }

  /** Hands with the right owner. */
  get hands(): number {
    return this.#hands;
  }

  /** Judges the log since the last call. */
  async check(): Promise<string[]> {
    const { rows, before } = await this.#since();
    this.#read = before;
    return judge(rows, this.#seen, () => this.#hands++);
  }

  /** Stored hands that are missing in the log. Call it after play has ended. */
  async unknown(): Promise<string[]> {
    const [row] = await retrying(
      () => this.sql<{ count: number }[]>`
      select count(*)::int as count from hands h
      where not exists (select from owner_log o where o.what = 'hand' and o.hand = h.hand_id)`,
    );
    return row!.count === 0 ? [] : [`${row!.count} stored hands were written down by no shard`];
  }

  /** Whole transactions in their order. Open ones are left for the next call. */
  #since(): Promise<{ rows: Owned[]; before: string }> {
    return retrying(async () => {
      const [now] = await this.sql<{ before: string }[]>`
        select pg_snapshot_xmin(pg_current_snapshot())::text as before`;
      const rows = await this.sql<Owned[]>`
        select what, table_id as table, shard, epoch::text as epoch, held, hand, number from owner_log
        where tx >= ${this.#read}::text::xid8 and tx < ${now!.before}::text::xid8 order by at`;
      return { rows: [...rows], before: now!.before };
    });
  }
}

/** Returns the faults, and notes the state of each shard and each table. */
export function judge(
  rows: readonly Owned[],
  { epochs, held, shards, numbers }: Ownership,
  right: () => void = () => undefined,
): string[] {
  return rows.flatMap((row) => {
    if (row.what === 'epoch') {
      epochs.set(row.shard, row.epoch);
      held.set(row.shard, row.held);
      return [];
    }
    if (row.what === 'table') {
      shards.set(row.table, row.shard);
      const isOrphan = row.shard !== -1 && held.get(row.shard) !== true;
      return isOrphan ? [`table ${row.table} was taken by shard ${row.shard} of an ended node`] : [];
    }
    const { table, shard, epoch, hand, number } = row;
    const wrong = (why: string) => [
      `hand ${hand} (${number}) of table ${table} is of shard ${shard}, epoch ${epoch}: ${why}`,
    ];
    if (shards.get(table) !== shard) return wrong(`the table was shard ${shards.get(table)}'s`);
    if (epochs.get(shard) !== epoch) return wrong(`the shard had epoch ${epochs.get(shard)}`);
    if (number <= (numbers.get(table) ?? 0)) return wrong(`hand ${numbers.get(table)} was stored before it`);
    numbers.set(table, number);
    right();
    return [];
  });
}

/** The product's function is called by one of its name that writes down what the shard says of itself. */
const LOG = `
create table owner_log (
  at bigint generated always as identity,
  tx xid8 not null default pg_current_xact_id(),
  what text not null, table_id uuid, shard integer not null, epoch bigint, held boolean,
  hand uuid, number integer);
create index on owner_log (tx);
create index on owner_log (hand);

insert into owner_log (what, shard, epoch, held) select 'epoch', shard_no, epoch, holder is not null from shards;
create function log_epoch() returns trigger language plpgsql as $$ begin
  insert into owner_log (what, shard, epoch, held) values ('epoch', new.shard_no, new.epoch, new.holder is not null);
  return null;
end $$;
create trigger log_epoch after insert or update of epoch, holder on shards for each row execute function log_epoch();

insert into owner_log (what, table_id, shard) select 'table', table_id, shard_no from tables;
create function log_table() returns trigger language plpgsql as $$ begin
  insert into owner_log (what, table_id, shard) values ('table', new.table_id, new.shard_no);
  return null;
end $$;
create trigger log_table after insert or update of shard_no on tables for each row execute function log_table();

do $do$ declare
  old regprocedure := (select oid from pg_proc where proname = 'commit_hands');
  takes text := pg_get_function_identity_arguments(old);
  names text := (select array_to_string(proargnames, ', ') from pg_proc where oid = old);
begin
  execute format('alter function %s rename to commit_hands_unseen', old);
  execute format($sql$
    create function commit_hands(%s) returns void language plpgsql as $body$ begin
      perform commit_hands_unseen(%s);
      insert into owner_log (what, table_id, shard, epoch, hand, number)
      select 'hand', h.id, shard, epoch_held, h.hand, h.number from unnest(table_ids, hand_ids, numbers) as h (id, hand, number);
    end $body$ $sql$, takes, names);
end $do$;
`;
