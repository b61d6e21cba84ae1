import Type, { type Static } from 'typebox';
import { Count, Exact, Nullable, Time, Uuid } from '../common.js';
import { route } from '../route.js';
import { Detail, NO_ROOM } from './errors.js';

/** Bots that we run for their owners (hosted), or that run in a browser page: docs/reference/rest.md, "Bots". */

export const TEMPLATES = ['shark', 'rock', 'gambler', 'bluffer', 'gto_lite', 'calling_station'] as const;

const Share = Type.Number({ minimum: 0, maximum: 1 });

/** Share of starting hands, or how much of a trait: see src/bots/strategies/style.ts. */
const traits = {
  vpip: Share,
  pfr: Share,
  three_bet: Share,
  aggression: Share,
  bluff: Share,
  call_down: Share,
  balance: Share,
  tilt: Share,
};

const optional = Object.fromEntries(Object.entries(traits).map(([name, schema]) => [name, Type.Optional(schema)])) as {
  [K in keyof typeof traits]: ReturnType<typeof Type.Optional<typeof Share>>;
};

const strategyExample = { template: 'shark', vpip: 0.27, bluff: 0.2, auto_rebuy: true } as const;

/** As an owner writes it: what is left out comes from the template. */
export const BotStrategy = Exact(
  {
    template: Type.Enum([...TEMPLATES]),
    ...optional,
    /** Whether the bot rebuys when it is out of chips; true where it is left out. */
    auto_rebuy: Type.Optional(Type.Boolean()),
  },
  { title: 'BotStrategy', examples: [strategyExample] },
);
export type BotStrategy = Static<typeof BotStrategy>;

const SavedStrategy = Exact(
  {
    strategy: BotStrategy,
    /** The strategy in play, with all fields. */
    effective: Exact({ template: Type.Enum([...TEMPLATES]), ...traits, auto_rebuy: Type.Boolean() }),
    /** Null: none was saved yet, and this is what would be played. */
    saved_at: Nullable(Time),
  },
  {
    title: 'SavedStrategy',
    examples: [
      {
        strategy: strategyExample,
        effective: {
          template: 'shark',
          vpip: 0.27,
          pfr: 0.17,
          three_bet: 0.07,
          aggression: 0.75,
          bluff: 0.2,
          call_down: 0.35,
          balance: 0.2,
          tilt: 0,
          auto_rebuy: true,
        },
        saved_at: '2026-11-21T09:00:00.000+00:00',
      },
    ],
  },
);

const Mode = Type.Enum(['browser', 'hosted']);

const status = {
  /** starting: deployed, not connected yet. error: it does not get there, and is tried again. */
  state: Type.Enum(['stopped', 'starting', 'running', 'error']),
  /** The mode of the present deployment; null while stopped. */
  mode: Nullable(Mode),
  /** When the present deployment began, or the last one. */
  deployed_at: Nullable(Time),
  /** Hands of the season since then. */
  hands_played: Count,
  /** The last one of this deployment. */
  last_error: Nullable(Type.String({ minLength: 1 })),
};

const statusExample = {
  state: 'running',
  mode: 'hosted',
  deployed_at: '2026-11-21T09:00:00.000+00:00',
  hands_played: 812,
  last_error: null,
} as const;

export const BotStatus = Exact(status, { title: 'BotStatus', examples: [statusExample] });
export type BotStatus = Static<typeof BotStatus>;

const tokenExample = {
  bot_token: 'bt_0000000000000000000000000000000000000000000',
  expires_at: '2026-11-21T10:00:00.000+00:00',
  season_id: '018f4e0b-0000-7000-8000-000000000001',
} as const;

/** Opens /ws for this season and until then; REST takes none. */
export const BotToken = Exact(
  { bot_token: Type.String({ pattern: '^bt_[A-Za-z0-9_-]{43}$' }), expires_at: Time, season_id: Uuid },
  { title: 'BotToken', examples: [tokenExample] },
);
export type BotToken = Static<typeof BotToken>;

const StoppedBot = Exact(
  { ...status, state: Type.Literal('stopped'), mode: Type.Null() },
  { title: 'StoppedBot', examples: [{ ...statusExample, state: 'stopped', mode: null }] },
);

const deployed = {
  ...status,
  mode: Mode,
  deployed_at: Time,
  last_error: Type.Null(),
  runtime_generation: Type.Integer({ minimum: 1 }),
};

const deployedExample = { ...statusExample, state: 'starting', hands_played: 0, runtime_generation: 2 } as const;

const Deployed = Exact(
  {
    ...deployed,
    /** In browser mode, and shown this once. */
    token: Nullable(BotToken),
  },
  { title: 'Deployed', examples: [{ ...deployedExample, mode: 'browser', token: tokenExample }] },
);

const HostedBot = Exact(
  { ...deployed, mode: Type.Literal('hosted'), token: Type.Null() },
  { title: 'HostedBot', examples: [{ ...deployedExample, mode: 'hosted', token: null }] },
);

const DeployBody = Exact(
  {
    mode: Mode,
    /** Saved, too. Left out: the saved one. */
    strategy: Type.Optional(BotStrategy),
  },
  { title: 'DeployBody', examples: [{ mode: 'hosted', strategy: strategyExample }] },
);

const tag = 'Bots';
const agent = { tag, auth: 'owner' } as const;
const pro = { 403: [Detail.premiumRequired] };
const noSeason = { 404: [Detail.noActiveSeason] };

export const getStrategy = route({
  ...agent,
  id: 'getStrategy',
  method: 'GET',
  path: '/api/bot/strategy',
  summary: 'The strategy of your bot',
  answers: { 200: SavedStrategy },
});

export const saveStrategy = route({
  ...agent,
  id: 'saveStrategy',
  at: 'leader',
  method: 'POST',
  path: '/api/bot/strategy',
  summary: 'Save the strategy. A hosted bot uses it from the next decision on',
  body: BotStrategy,
  answers: { 200: SavedStrategy },
});

export const getStrategyApi = route({
  ...agent,
  id: 'getStrategyApi',
  method: 'GET',
  path: '/api/bot/strategy/api',
  summary: 'The strategy of your bot. Requires the season pass',
  answers: { 200: SavedStrategy },
  errors: pro,
});

export const saveStrategyApi = route({
  ...agent,
  id: 'saveStrategyApi',
  at: 'leader',
  method: 'PUT',
  path: '/api/bot/strategy/api',
  summary: 'Save the strategy. Requires the season pass',
  body: BotStrategy,
  answers: { 200: SavedStrategy },
  errors: pro,
});

export const deployBot = route({
  ...agent,
  id: 'deployBot',
  at: 'leader',
  method: 'POST',
  path: '/api/bot/deploy',
  summary: 'Let the platform (hosted) or a page (browser) run the bot',
  description: 'The bot replaces the present runtime. The generation rises, and tokens of older generations end.',
  body: DeployBody,
  answers: { 200: Deployed },
  errors: { ...noSeason, ...NO_ROOM },
});

export const deployBotApi = route({
  ...agent,
  id: 'deployBotApi',
  at: 'leader',
  method: 'POST',
  path: '/api/bot/deploy/api',
  summary: 'Deploy in hosted mode with the saved strategy. Requires the season pass',
  answers: { 200: HostedBot },
  errors: { ...pro, ...noSeason, ...NO_ROOM },
});

export const stopBot = route({
  ...agent,
  id: 'stopBot',
  at: 'leader',
  method: 'POST',
  path: '/api/bot/stop',
  summary: 'Stop the bot. Its token ends',
  description: 'A hosted bot leaves its seat at the end of the hand. If no bot runs, nothing changes.',
  answers: { 200: StoppedBot },
});

export const stopBotApi = route({
  ...agent,
  id: 'stopBotApi',
  at: 'leader',
  method: 'POST',
  path: '/api/bot/stop/api',
  summary: 'Stop the bot. Requires the season pass',
  answers: { 200: StoppedBot },
  errors: pro,
});

export const refreshBotToken = route({
  ...agent,
  id: 'refreshBotToken',
  at: 'leader',
  method: 'POST',
  path: '/api/bot/refresh-token',
  summary: 'Make a new token for a bot in a browser. The old token ends, and its socket closes (4003)',
  answers: { 200: BotToken },
  errors: { ...noSeason, 409: [Detail.notInBrowser] },
});

export const getBotStatus = route({
  ...agent,
  id: 'getBotStatus',
  at: 'leader',
  method: 'GET',
  path: '/api/bot/status',
  summary: 'The state of the bot',
  answers: { 200: BotStatus },
});

export const getBotStatusApi = route({
  ...agent,
  id: 'getBotStatusApi',
  at: 'leader',
  method: 'GET',
  path: '/api/bot/status/api',
  summary: 'The state of the bot. Requires the season pass',
  answers: { 200: BotStatus },
  errors: pro,
});
