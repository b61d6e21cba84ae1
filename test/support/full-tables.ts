import type { Database } from '../../src/store/database.js';
import { addPool } from './random-table.js';

/** More than postgres.js reads at a time. */
export const FULL_BYTES = 65_536;

/** A value of each type, different in each row `n`. Texts contain all characters that COPY escapes. */
const VALUES: Readonly<Record<string, string>> = {
  text: String.raw`format(E'%s \t\\N\\ é🂡\r\n\\.\n', n)`,
  uuid: 'md5(n::text)::uuid',
  bytea: "decode(md5(n::text) || '5c0a0d09', 'hex')",
  bool: 'n % 2 = 0',
  int2: '(n % 30000)::int2',
  int4: 'n::int4',
  int8: 'n * 1000003::int8',
  float8: 'n / 7.0::float8',
  numeric: 'n / 7.0',
  timestamptz: "timestamptz '2026-01-01 00:00:00.123456+00' + n * interval '1 s'",
  jsonb: String.raw`jsonb_build_object('n', n, 'text', E'\\ " \n \t')`,
  inet: "'2001:db8::1'::inet + n",
};

/** Drops all rules of rows: keys, references, checks, triggers. The table then takes any row. */
export async function dropRules(sql: Database): Promise<void> {
  await sql`
    do $$ declare rule record; begin
      for rule in select conrelid::regclass as at, conname as name from pg_constraint
        where connamespace = 'public'::regnamespace and coninhcount = 0 and conparentid = 0 and conrelid <> 0 and contype not in ('n', 't')
        order by contype = 'p' or contype = 'u'
      loop execute format('alter table %s drop constraint if exists %I cascade', rule.at, rule.name); end loop;
      for rule in select indexrelid::regclass as name from pg_index i join pg_class c on c.oid = i.indexrelid
        where c.relnamespace = 'public'::regnamespace and i.indisunique and not c.relispartition
      loop execute format('drop index %s', rule.name); end loop;
      for rule in select tgrelid::regclass as at, tgname as name from pg_trigger
        where not tgisinternal and tgparentid = 0
      loop execute format('drop trigger %I on %s', rule.name, rule.at); end loop;
    end $$`;
}

/**
 * Fills every table without rules until it holds more than FULL_BYTES as text. `hands`: the number of rows of hands.
 */
export async function fillTables(sql: Database, hands: number): Promise<void> {
  const poolId = await addPool(sql);
  const tables = await sql<{ name: string; columns: { name: string; type: string; nullable: boolean }[] }[]>`
    select c.relname as name, json_agg(json_build_object('name', a.attname, 'type', t.typname,
      'nullable', not a.attnotnull) order by attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
      join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migrations' group by 1`;
  for (const { name, columns } of tables) {
    const partition = columns.some((column) => column.name === 'pool_id') && name.includes(poolId.replaceAll('-', ''));
    const values = columns.map((column) => {
      if (partition && column.name === 'pool_id') return `'${poolId}'`;
      const value = column.type.startsWith('_') ? `array[${VALUES[column.type.slice(1)]!}]` : VALUES[column.type]!;
      return column.nullable ? `case when n % 3 > 0 then ${value} end` : value;
    });
    const [first] = await sql<{ length: number }[]>`
      select length(t::text) as length from (
        select ${sql.unsafe(values.join(', '))} from generate_series(10001, 10001) n) t`;
    const rows = name.startsWith('hands_') ? hands : Math.ceil((1.5 * FULL_BYTES) / first!.length);
    const names = sql(columns.map((column) => column.name));
    await sql`
      insert into ${sql(name)} (${names}) overriding system value
      select ${sql.unsafe(values.join(', '))} from generate_series(1, ${rows}::int) n`;
  }
}

/** By table: rows, bytes of their texts, and a sum over all rows that is the same in any order. */
export async function sumsOf(sql: Database): Promise<Map<string, { rows: number; bytes: number; sum: string }>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;
  const sums = new Map<string, { rows: number; bytes: number; sum: string }>();
  for (const { name } of tables) {
    const [row] = await sql<{ rows: number; bytes: number; sum: string }[]>`
      select count(*) as rows, coalesce(sum(length(t::text)), 0)::bigint as bytes,
        coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as sum from ${sql(name)} t`;
    sums.set(name, row!);
  }
  return sums;
}
