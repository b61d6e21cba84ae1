/** The name of a release: builds that fit together have one, and no others. */
import t from 'tap';
import { releaseBuilt } from '../../src/ops/release.js';

const script = new URL('../../../src/ops/release-name.mjs', import.meta.url);
const { releaseName, releaseOf, wireSources } = (await import(script.href)) as {
  releaseName(sources: readonly { path: string; text: string }[], migrations: readonly string[]): string;
  releaseOf(root: string): Promise<string>;
  wireSources(root: string): Promise<{ path: string; text: string }[]>;
};

const SOURCES = [
  { path: 'src/b.ts', text: "/** What is said. */\nexport type Said =\n  | { t: 'go'; to: number }; // on\n" },
  { path: 'src/a.ts', text: 'export const MAGIC = 7;\n' },
];
const MIGRATIONS = ['001_core.sql', '002_mail.sql'];
const name = releaseName(SOURCES, MIGRATIONS);

void t.test('order, comments, blanks and line ends make no other name', (t) => {
  t.match(name, /^[0-9a-f]{12}$/);
  const written = SOURCES.map(({ path, text }) => ({
    path,
    text: text.replaceAll('\n', '\r\n').replace('What', 'All that'),
  }));
  t.equal(releaseName(written.toReversed(), MIGRATIONS.toReversed()), name);
  t.end();
});

void t.test('a message, a constant, a file or a migration does', (t) => {
  const [said, magic] = SOURCES as [(typeof SOURCES)[0], (typeof SOURCES)[0]];
  const others = [
    releaseName([{ ...said, text: said.text.replace('to: number', 'to: string') }, magic], MIGRATIONS),
    releaseName([said, { ...magic, text: 'export const MAGIC = 8;' }], MIGRATIONS),
    releaseName([said], MIGRATIONS),
    releaseName(SOURCES, [...MIGRATIONS, '003_more.sql']),
  ];
  t.equal(new Set([name, ...others]).size, 5);
  t.end();
});

void t.test('types that messages carry count, wherever they stand', async (t) => {
  const sources = await wireSources('.');
  const before = releaseName(sources, MIGRATIONS);
  for (const [path, type] of [
    ['src/table/summary.ts', 'interface SummaryPlayer {'],
    ['src/ops/heap-watch.ts', 'interface Heap {'],
    ['src/shard/messages.ts', "{ t: 'drain' }"],
  ] as const) {
    const changed = sources.map((each) =>
      each.path === path ? { path, text: each.text.replace(type, `${type} /* */ more: string;`) } : each,
    );
    t.not(releaseName(changed, MIGRATIONS), before, `${type} of ${path}`);
  }
  t.ok(sources.length < 120, `${sources.length} files: not the whole house`);
});

void t.test('the build has written the name of these sources', async (t) => {
  t.equal(releaseBuilt(), await releaseOf('.'));
});
