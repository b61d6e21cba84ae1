/** The campaigns of `npm run campaign -- NAME`: modules of test/, which read their own options. */
export const CAMPAIGNS: Readonly<Record<string, readonly [purpose: string, path: string]>> = {
  sim: ['worlds of tables, shards and faults on a virtual clock', 'sim/cli.js'],
  fuzz: ['malformed and hostile input for every surface', 'fuzz/cli.js'],
  abuse: ['what one attacker costs everybody else', 'abuse/cli.js'],
  chaos: ['kills, freezes and outages under play', 'chaos/cli.js'],
  'chaos:nodes': ['the same over several nodes: kills, freezes, cuts, rolling restarts, drains', 'chaos/nodes/cli.js'],
  leaks: ['memory, handles and rows after many connections', 'chaos/leaks-cli.js'],
  credits: ['deposits and withdrawals under kills and reorganisations', 'credits/cli.js'],
  doctor: ['whether the doctor finds each known defect of a bot, and none in sound ones', 'doctor/proof/cli.js'],
  demo: ['a credit economy on a chain of its own, to look at', 'credits/demo.js'],
  'value-train': ['the function that measures luck, from hands of the house styles', 'value/train.js'],
  'web-speed': ['what the pages cost a browser', 'web/speed.js'],
};
