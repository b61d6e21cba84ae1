/**
 * The layers of the house, lowest first. A module may import its own folder and anything below, never above.
 * Features (accounts, seasons, ...) stand on one floor and meet only in main.ts or through another's index.ts.
 */
const floors = ['cards', 'holdem', 'protocol', 'table', 'shard', 'gateway', 'lobby'];
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
  'mail',
  'hosted',
];
const above = (i) => `^src/(${[...floors.slice(i + 1), ...features, 'arena'].join('|')})/`;

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'types may look at each other; code may not',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans-to-dev',
      severity: 'error',
      from: { path: '^(src|workers)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'] },
    },
    ...floors.map((f, i) => ({
      name: `${f}-looks-up`,
      severity: 'error',
      from: { path: `^src/${f}/` },
      to: { path: above(i) },
    })),
    {
      name: 'pure-core',
      comment: 'cards, holdem and table know no I/O: only node:crypto for hashes and bytes',
      severity: 'error',
      from: { path: '^src/(cards|holdem|table)/', pathNot: '^src/(cards/generate|holdem/cli)\\.ts$' },
      to: {
        path: '^src/(store|ops)/|^(node:)?(fs|net|http|timers|worker_threads|child_process)',
        pathNot: '^src/ops/types',
      },
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
      to: { path: `^src/(${[...floors.slice(3), ...features].join('|')})/`, dependencyTypesNot: ['type-only'] },
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
