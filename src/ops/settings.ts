import { availableParallelism } from 'node:os';
import Type, { type Static } from 'typebox';
import { creditSettings, type OptionalCreditSetting } from './credit-settings.js';
import { hour, int, oneOfTexts, seconds, setting, nonEmptyText, type Setting } from './setting.js';

export type { Setting } from './setting.js';

/**
 * Every setting of the platform: its schema, its default and what it means. `npx agent-poker start --help` prints this list,
 * config.ts reads it from the environment and .env; nothing else in the house reads process.env.
 */
export const settings = {
  NODE_ENV: setting(
    oneOfTexts('development', 'production', 'test'),
    'production switches development aids off',
    'development',
  ),
  HOST: setting(nonEmptyText, 'address to listen on', '127.0.0.1', { production: '0.0.0.0' }),
  PORT: setting(int(0, 65535), 'port of REST and /ws; 0 takes a free port', 8080),
  TRANSPORT: setting(oneOfTexts('auto', 'uws', 'ws'), 'uws: µWebSockets.js, ws: the fallback', 'auto'),
  DATA_DIR: setting(nonEmptyText, 'where the embedded PostgreSQL keeps its data', '.data'),
  DATABASE_URL: setting(
    Type.String({ pattern: '^postgres(ql)?://.' }),
    'a PostgreSQL of your own instead of the embedded one',
    undefined,
    { secret: true, form: 'postgres://user:password@host:port/database' },
  ),
  DATABASE_PASSWORD: setting(nonEmptyText, 'the password for DATABASE_URL, unescaped, if the URL has none', undefined, {
    secret: true,
  }),
  REDIS_URL: setting(
    Type.String({ pattern: '^rediss?(://.|-sentinel://[^/]+/[^/]+$|-cluster://[^/]+$)' }),
    'Redis for limits over several processes; also redis-sentinel://, redis-cluster://',
    undefined,
    { secret: true, form: 'redis://user:password@host:port' },
  ),
  THREADS: setting(
    int(1, 64),
    'shard threads that host the tables (default: cores - 1)',
    Math.max(1, availableParallelism() - 1),
  ),
  NODES: setting(
    int(1, 64),
    'nodes that this command starts on this machine; they share PORT and the database, and each has THREADS',
    1,
  ),
  NODE_ADDRESS: setting(
    Type.String({ pattern: '^[^:\\s]+:\\d{1,5}$|^\\[[0-9a-fA-F:]+\\]:\\d{1,5}$' }),
    'where other nodes on the same database reach this node, host:port; without it this process uses the database alone',
    undefined,
  ),
  CLUSTER_SECRET: setting(
    Type.String({ minLength: 16, maxLength: 256 }),
    'signs the messages between nodes; the same for all nodes of a database',
    undefined,
    { secret: true },
  ),
  NODE_TLS_KEY: setting(
    nonEmptyText,
    'file with the private key of NODE_ADDRESS (PEM): nodes talk by https and wss',
    undefined,
  ),
  NODE_TLS_CERT: setting(nonEmptyText, 'file with the certificate of NODE_ADDRESS (PEM)', undefined),
  NODE_TLS_CA: setting(
    nonEmptyText,
    'file with the authority that signed the certificates of all nodes (PEM)',
    undefined,
  ),
  PORT_SHARED: setting(oneOfTexts('on', 'off'), 'on: other nodes of this machine listen on PORT, too', 'off'),
  LOG_LEVEL: setting(
    oneOfTexts('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'lowest level that is logged',
    'info',
  ),
  HOUSE_BOTS: setting(int(0, 5), 'house bots that keep a table open for lone newcomers', 3, { production: '0' }),
  ADMIN_KEY: setting(
    Type.String({ minLength: 16 }),
    'key of the operator: opens /operator, /api/admin and /metrics',
    undefined,
    {
      secret: true,
    },
  ),
  METRICS_PORT: setting(int(0, 65535), 'a loopback listener of its own for /metrics'),
  BETA_GATE: setting(oneOfTexts('off', 'on'), 'on: registration needs an invite code', 'off'),
  SMTP_URL: setting(
    Type.String({ pattern: '^smtps?://[^\\s]+$' }),
    'mail server; without it mails go to the log, and a production server does not start',
    undefined,
    { secret: true, neededInProduction: true, form: 'smtp://user:password@host:587' },
  ),
  MAIL_FROM: setting(
    Type.String({ pattern: '^([^<>@\\r\\n]* <[^<>@\\s]+@[^<>@\\s]+>|[^<>@\\s]+@[^<>@\\s]+)$' }),
    'sender of mails: an address, or Name <address>',
    'Agent Poker <no-reply@localhost.localdomain>',
    { neededInProduction: true, form: 'poker@example.com, or Name <poker@example.com>' },
  ),
  PUBLIC_URL: setting(
    Type.String({ pattern: '^https?://\\S+$' }),
    'public address for links in mails, without a path; https in production (default: the listening address)',
    undefined,
    { neededInProduction: true, form: 'https://poker.example.com' },
  ),
  PAGES: setting(
    oneOfTexts('on', 'off', 'watch'),
    'pages for people at /; off: none, so mailed links lead nowhere; watch: reload them after npm run web -- --watch builds them',
    'on',
  ),
  SIGN_IN_MINUTES: setting(int(1, 1440), 'how long a sign-in link is good for', 15),
  IDENTITY_AUTH_URL: setting(nonEmptyText, 'sign-in service named by /api/public-config'),
  CORS_ORIGIN: setting(nonEmptyText, 'origin of browser pages that may call the REST API; without it none may'),
  TRUSTED_PROXY: setting(int(0, 5), 'number of trusted proxies in front, for X-Forwarded-For', 0),
  MAX_CONNECTIONS: setting(
    int(1, 1_000_000),
    'open connections at a time (default and maximum: by the limit of open files)',
    undefined,
  ),
  CONNECTIONS_PER_ADDRESS: setting(
    int(1, 1_000_000),
    'open connections of one address at a time; a /48 of IPv6 is one address',
    512,
  ),
  WS_CONNECTS_PER_MINUTE: setting(int(1, 1_000_000), 'WebSocket connection attempts per IP', 6000, {
    production: '10',
  }),
  REGISTRATIONS_PER_MINUTE: setting(int(1, 1_000_000), 'registrations per IP', 600, { production: '5' }),
  WS_MESSAGES_PER_SECOND: setting(int(1, 1_000_000), 'messages per socket in any second', 20),
  SOCKET_BUFFER_BYTES: setting(
    int(65_536, 1 << 28),
    'unsent bytes after which a slow reader is closed with 1013',
    1 << 20,
  ),
  COALESCE_MS: setting(
    int(0, 50),
    'most delay of frames to players not to act, to send several at once; out of the hand three times as much; 0: none',
    8,
  ),
  COALESCE_TABLES: setting(int(1, 1_000_000), 'number of tables of a shard from which COALESCE_MS applies', 8),
  REGISTRATION: setting(
    oneOfTexts('open', 'session'),
    'open: all people may register; session: only holders of a sign-in session',
    'open',
    { production: 'session' },
  ),
  LOBBY_CAPACITY: setting(
    int(1, 1_000_000),
    'agents waiting for the season, or for one competition, before lobby_full',
    10_000,
  ),
  LOBBY_GRACE_MS: setting(int(0, hour), 'how long a lone player waits for the lobby before the table closes', 3000),
  COMPETITIONS_AT_ONCE: setting(
    int(1, 10_000),
    'competitions of one organizer that are neither finalized nor cancelled',
    20,
  ),
  COMPETITIONS_A_DAY: setting(int(1, 10_000), 'competitions that one agent may create in 24 hours', 50),
  COMPETITION_MIN_BETWEEN_HANDS_MS: setting(
    int(0, 10_000),
    'shortest pause between two hands that an organizer may set; it holds for all competitions',
    0,
    { production: '1000' },
  ),
  COMPETITION_MAX_HANDS: setting(int(1, 1_000_000_000), 'hands that a competition may store; then it ends', 1_000_000),
  SEPARATE_OWNERS: setting(
    Type.Boolean(),
    'keep agents of one owner (mailbox or address) on different tables while others wait',
    'false',
    { production: 'true' },
  ),
  ACTION_TIMEOUT_MS: setting(int(50, hour), 'time for a decision', 120_000),
  TIME_BANK: setting(
    oneOfTexts('on', 'off'),
    'on: beside faster players, the time of a decision beyond 2 s comes from a time bank',
    'on',
  ),
  TIME_BANK_MS: setting(int(0, hour), 'a full time bank; each hand adds 3 s', 120_000),
  BETWEEN_HANDS_MS: setting(int(0, 10_000), 'pause between hands', 1000),
  DISCONNECT_HOLD_MS: setting(int(0, hour), 'how long a seat is held after the loss of its socket', 120_000),
  MISSED_HANDS: setting(int(1, 100), 'consecutive missed hands before removal', 3),
  ACTION_PROTOCOL: setting(oneOfTexts('strict', 'loose'), 'loose: action ids may be missing', 'strict'),
  BOARD_EVENTS: setting(
    oneOfTexts('new', 'cumulative'),
    'community_cards carries the new cards or the whole board',
    'new',
  ),
  DEEP_CHECKS: setting(
    oneOfTexts('on', 'off'),
    'each table checks all its seats and chips after each call, for tests and the simulator',
    'off',
  ),
  STATE_HASH: setting(oneOfTexts('on', 'off'), 'state_hash in table_state', 'on'),
  HEADS_UP_BLINDS: setting(
    oneOfTexts('standard', 'ring'),
    'standard: heads-up the button posts the small blind',
    'standard',
  ),
  RETURN_POST: setting(
    oneOfTexts('on', 'off'),
    'on: a player that left before its big blind and comes back within an orbit posts one',
    'on',
  ),
  FREE_FOLD: setting(oneOfTexts('check', 'reject'), 'check: a fold counts as a check if checking is free', 'check'),
  FAIR_DEALS: setting(
    oneOfTexts('on', 'off'),
    'on: each deck is committed to before the hand, and the cards seen are proven after it',
    'on',
  ),
  SPECTATE: setting(
    oneOfTexts('on', 'off'),
    'on: everyone may watch tables, read played hands and see agents; off: only the players of a hand read it',
    'on',
  ),
  SPECTATE_DELAY_HANDS: setting(
    int(0, 100),
    'hands by which spectators are behind; above 0 the present state of a table is hidden',
    0,
  ),
  WATCHERS_PER_ADDRESS: setting(int(1, 100_000), 'sockets of one address that watch tables', 5),
  WATCHERS: setting(int(1, 1_000_000), 'sockets that watch tables, on this server', 2000),
  SEATS_PER_MINUTE: setting(int(1, 1_000_000), 'seats that an agent may take in a minute; then it waits its turn', 6),
  PACE_GROUPS: setting(
    oneOfTexts('on', 'off'),
    'seat agents of one pace together, and split tables with fast and slow agents',
    'on',
  ),
  BUY_IN_OUT_OF_RANGE: setting(
    oneOfTexts('default', 'reject'),
    'a buy_in outside 1,000-5,000 is answered by the default buy-in or by invalid_buy_in',
    'default',
  ),
  BUY_IN_ABOVE_BALANCE: setting(
    oneOfTexts('clamp', 'reject'),
    'a buy_in in range above the balance takes the whole balance, or is insufficient_season_chips',
    'clamp',
  ),
  MAX_TABLE_STACK: setting(
    int(1000, 1_000_000_000),
    'chips above it go back to the balance after a hand (chips_skimmed); without it stacks are unlimited',
  ),
  REPLAY_HANDS: setting(int(1, 1000), 'hands a table can replay for resync', 20),
  REPLAY_BYTES: setting(int(10_000, 1 << 28), "maximum bytes of a table's replay window", 1 << 20),
  SEASON_SECONDS: setting(int(5, 31_536_000), 'length of a season', 14 * 86_400),
  WIND_DOWN_SECONDS: setting(int(1, 86_400), 'no new hands in the last seconds of a season', 300),
  ENDING_SOON_SECONDS: setting(
    int(0, 31_536_000),
    'time before the end of a season at which its agents get a mail; 0: no mail',
    86_400,
  ),
  PRIZE_POOL_CENTS: setting(int(0, 1_000_000_000), 'prize pool of a season, split 50/30/20', 0),
  PRIZE_MIN_HANDS: setting(int(0, 1_000_000_000), 'hands in the season that a prize place needs', 10, {
    production: '500',
  }),
  PRIZE_MIN_OPPONENTS: setting(
    int(0, 100_000),
    'opponents of different owners that a prize place needs in the season; house bots do not count',
    0,
    { production: '10' },
  ),
  PRIZE_HOLD_HOURS: setting(
    int(0, 8760),
    'hours that prizes are held, in which the operator may release or refuse them; 0: paid at once',
    0,
    { production: '72' },
  ),
  STARTING_CHIPS: setting(int(1000, 1_000_000), 'chips granted on season registration', 5000),
  REBUY_CHIPS: setting(int(1, 1_000_000), 'chips of a rebuy', 1500),
  REBUY_PENALTY: setting(int(0, 1_000_000), 'score penalty of a rebuy', 1500),
  REBUY_COOLDOWNS: setting(seconds, 'seconds before the 1st, 2nd, … rebuy; the last value repeats', '0,600,3600'),
  REBUY_COOLDOWNS_PRO: setting(seconds, 'the same for holders of a season pass (default: as the others)'),
  REBUY_WHEN: setting(
    oneOfTexts('below_buy_in', 'zero'),
    'out of chips means below the minimum buy-in, or none at all',
    'below_buy_in',
  ),
  SEASON_PASS_CENTS: setting(int(1, 1_000_000), 'price of the season pass in cents of credit', 300),
  LEADERBOARD_REFRESH_MS: setting(
    int(0, 1500),
    'ms between readings of the standings; 0: read before every answer',
    1000,
  ),
  ANALYTICS_REFRESH_MS: setting(
    int(0, 3_600_000),
    'ms between rounds that count hands for analytics; 0: count only when an agent asks',
    5000,
  ),
  RATING_MIN_HANDS: setting(int(1, 1_000_000), 'rated hands below which a rating is provisional', 300),
  BOT_TOKEN_MINUTES: setting(int(1, 10_080), 'how long a bot token is good for', 60),
  HOSTED_THREADS: setting(int(1, 64), 'threads that decide for hosted bots', 1),
  HOSTED_PER_OWNER: setting(int(1, 100_000), 'hosted bots of one owner (mailbox, or address of the registration)', 3),
  HOSTED_IN_ALL: setting(int(0, 100_000), 'hosted bots of all owners together', 500),
  HOSTED_PACE_MS: setting(int(0, 60_000), 'average pause of a hosted bot before it acts', 400),
  ...creditSettings,
  DRAIN_MS: setting(int(0, 600_000), 'how long hands in progress may finish on SIGTERM', 10_000),
  DATABASE_CONNECTIONS: setting(int(2, 200), 'connections of the front thread to PostgreSQL', 8),
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

/** The validated settings. Optional ones without a default may be undefined. */
export type Config = {
  [K in SettingName]: Static<(typeof settings)[K]['schema']> | (K extends OptionalSetting ? undefined : never);
};

/** Settings that may be absent. */
export type OptionalSetting = Extract<
  SettingName,
  | 'DATABASE_URL'
  | 'DATABASE_PASSWORD'
  | 'REDIS_URL'
  | 'NODE_ADDRESS'
  | 'CLUSTER_SECRET'
  | 'NODE_TLS_KEY'
  | 'NODE_TLS_CERT'
  | 'NODE_TLS_CA'
  | 'ADMIN_KEY'
  | 'METRICS_PORT'
  | 'SMTP_URL'
  | 'PUBLIC_URL'
  | 'IDENTITY_AUTH_URL'
  | 'CORS_ORIGIN'
  | 'REBUY_COOLDOWNS_PRO'
  | 'MAX_TABLE_STACK'
  | OptionalCreditSetting
>;
