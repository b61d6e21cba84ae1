/**
 * The layers of the code, lowest first. A module may import its own folder and anything below, never above.
 * Features (accounts, seasons, ...) share one layer and meet only in src/platform/ or through another's index.ts.
 */
const layers = ['cards', 'holdem', 'protocol', 'formats', 'table', 'collusion', 'shard', 'gateway', 'lobby'];
const features = [
  'accounts',
  'seasons',
  'rebuys',
  'history',
  'credits',
  'competitions',
  'bots',
  'analytics',
  'admin',
  'email',
  'metrics',
  'hosted',
  'vectors',
  'public',
  'ratings',
];
const above = (i) =>
  `^src/(${[...layers.slice(i + 1), ...features, 'memory', 'arena', 'selfplay', 'compare', 'doctor', 'load', 'rethink'].join('|')})/`;

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'not even by types',
      severity: 'error',
      from: { path: '^(src|workers|sdk|web)/' },
      to: { circular: true },
    },
    {
      name: 'no-circular-in-tests',
      comment: 'types may look at each other; code may not',
      severity: 'error',
      from: { path: '^(test|bench|examples)/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans-to-dev',
      severity: 'error',
      from: { path: '^(src|workers)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'] },
    },
    ...layers.map((f, i) => ({
      name: `${f}-looks-up`,
      severity: 'error',
      from: { path: `^src/${f}/` },
      to: { path: above(i) },
    })),
    {
      name: 'pure-core',
      comment: 'cards, holdem, formats, table and collusion know no I/O: only node:crypto for hashes and bytes',
      severity: 'error',
      from: { path: '^src/(cards|holdem|formats|table|collusion)/' },
      to: {
        path: '^src/(store|ops)/|^(node:)?(fs|net|http|timers|worker_threads|child_process)',
        pathNot: '^src/ops/assert\\.ts$',
      },
    },
    {
      name: 'wire-knows-no-poker',
      comment: 'what carries bytes between nodes knows sockets, requests and codes, and nothing of play',
      severity: 'error',
      from: { path: '^src/cluster/wire/' },
      to: { path: '^src/', pathNot: '^src/(cluster/wire|gateway|ops)/|^src/protocol/(codes|mishap|route)\\.ts$' },
    },
    {
      name: 'features-through-index',
      severity: 'error',
      from: { path: `^src/(${features.join('|')})/` },
      to: { path: `^src/(${features.join('|')})/`, pathNot: ['^src/$1/', '/index\\.ts$'] },
    },
    {
      name: 'store-and-ops-are-low',
      severity: 'error',
      from: { path: '^src/(store|ops)/' },
      to: { path: `^src/(${[...layers.slice(3), ...features].join('|')})/` },
    },
    {
      name: 'kits-stand-alone',
      comment:
        'what is sent to bot authors imports nothing of the platform, nor of its packages but ws, and hashes that are bundled',
      severity: 'error',
      from: { path: '^sdk/typescript/' },
      to: { pathNot: '^sdk/typescript/|^node_modules/((@types/)?ws|@noble/hashes)/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'generator-reads-the-protocol',
      comment:
        'the kits are made of src/protocol alone, the evaluator of its own rules, tables of figures of bench results',
      severity: 'error',
      from: { path: '^sdk/generator/' },
      to: {
        path: '^(src|workers|test|bench)/|^sdk/typescript/',
        pathNot: '^src/(protocol|command)/|^src/cards/generate\\.ts$|^bench/report\\.ts$',
      },
    },
    {
      name: 'product-not-from-generator',
      severity: 'error',
      from: { path: '^(src|workers|sdk/typescript)/' },
      to: { path: '^sdk/(generator|reference)/' },
    },
    {
      name: 'web-knows-types',
      comment: 'pages are bundled without the server: of it they take types, and these pure modules',
      severity: 'error',
      from: { path: '^web/' },
      to: {
        path: '^(src|workers|bench|test|examples)/',
        pathNot:
          '^src/(protocol/(page-paths|table-name)|bots/strategies/style|cards/\\w+(\\.generated)?|holdem/\\w+|formats/[\\w/-]+|analytics/(equity|suits))\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'web-takes-no-more',
      comment: 'the types of the protocol; how chips are split, and what hands are worth, is written once',
      severity: 'error',
      from: { path: '^web/' },
      to: {
        path: '^src/',
        pathNot: '^src/(protocol/|cards/|holdem/|formats/|(bots/strategies/style|analytics/(equity|suits))\\.ts$)',
      },
    },
    {
      name: 'nobody-imports-web',
      severity: 'error',
      from: { path: '^(src|workers|bench|examples)/' },
      to: { path: '^web/' },
    },
    {
      name: 'memory-is-below-the-tools',
      comment: 'the platform in memory knows no tool, and neither the database nor the platform that has one',
      severity: 'error',
      from: { path: '^src/memory/' },
      to: { path: '^src/(arena|selfplay|compare|doctor|load|admin|vectors|platform|store|cluster|command)/' },
    },
    {
      name: 'memory-is-for-tools',
      comment: 'what is served comes from the database',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(memory|selfplay|compare|doctor|rethink)/' },
      to: { path: '^src/memory/' },
    },
    {
      name: 'command-knows-no-tool',
      severity: 'error',
      from: { path: '^src/command/' },
      to: { path: '^src/', pathNot: '^src/(command|statistics|store)/' },
    },
    {
      name: 'product-not-from-tests',
      severity: 'error',
      from: { path: '^(src|workers)/' },
      to: { path: '^(test|bench)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
