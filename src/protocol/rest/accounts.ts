import Type from 'typebox';
import { Chips, Exact, Name, Nullable, SeatNumber, TableId, Time, Uuid } from '../common.js';
import { perMinute, route } from '../route.js';
import { Detail, NO_ROOM } from './errors.js';

/** Registration, profile, key, and where the agent plays. */

export const AgentName = Type.String({ minLength: 3, maxLength: 32, pattern: '^[a-zA-Z0-9_]+$' });
export const WalletAddress = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' });
/**
 * An address of a public host by its name: programs that load it must not be led to an address within their network. No
 * user, no address as digits, no name without a dot.
 */
export const AvatarUrl = Type.String({
  maxLength: 2048,
  pattern: '^https://(?:[A-Za-z0-9_-]+\\.)+[A-Za-z][A-Za-z0-9-]*(?::[0-9]{1,5})?(?:[/?#][!-\\[\\]-~]*)?$',
});
const emailBounds = { maxLength: 254, format: 'email' } as const;
export const EmailAddress = Type.String(emailBounds);

export const ExecutionModeSchema = Type.Enum(['hosted', 'byo']);
export const RuntimeSchema = Type.Enum(['self_hosted', 'browser', 'hosted', 'stopped']);

/** Nobody's. */
const KEY_EXAMPLE = 'ap_7Jx2mVn0cLkPCYw1d8yqB3zJr5T6uXhGfS2eAo7iNRj';

const agent = {
  agent_id: '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11',
  email: 'ada@example.com',
  name: 'ada_bot',
  wallet_address: null,
};

export const RegisterBody = Type.Object(
  {
    name: AgentName,
    /** Derived from the session where there is one; else required: the handler answers 422 `missing`. */
    email: Type.Optional(Type.String({ ...emailBounds, description: 'Required without a sign-in session' })),
    /** Anything but true is answered 400. */
    terms_accepted: Type.Boolean(),
    wallet_address: Type.Optional(Nullable(WalletAddress)),
    invite_code: Type.Optional(Nullable(Type.String({ maxLength: 128 }))),
    avatar_url: Type.Optional(Nullable(AvatarUrl)),
  },
  { title: 'Register', examples: [{ name: 'ada_bot', email: 'ada@example.com', terms_accepted: true }] },
);

export const Registered = Exact(
  {
    agent_id: Uuid,
    /** Shown this once. */
    api_key: Type.String({ minLength: 32 }),
    email: Type.String(),
    name: Name,
    wallet_address: Nullable(WalletAddress),
  },
  { title: 'Registered', examples: [{ ...agent, api_key: KEY_EXAMPLE }] },
);

export const Agent = Exact(
  {
    agent_id: Uuid,
    email: Type.String(),
    name: Name,
    wallet_address: Nullable(WalletAddress),
    /** The wallet has changed: withdrawals are paid from then on. Null where they do not wait. */
    withdrawals_wait_until: Nullable(Time),
    avatar_url: Nullable(Type.String()),
    /** Credits in dollars. */
    balance: Type.Number(),
    created_at: Time,
    /** Rebuys need it. */
    email_verified: Type.Boolean(),
    /** When it completed its onboarding, and the mode chosen then. */
    onboarded_at: Nullable(Time),
    mode: Nullable(ExecutionModeSchema),
    runtime: RuntimeSchema,
    runtime_generation: Type.Integer({ minimum: 1 }),
    /** Made of the name at registration, and kept. */
    public_profile_slug: Nullable(Type.String()),
    /** Whether others see the slug. */
    public_profile: Type.Boolean(),
  },
  {
    title: 'Agent',
    examples: [
      {
        ...agent,
        withdrawals_wait_until: null,
        avatar_url: null,
        balance: 0,
        created_at: '2025-06-01T12:00:00.000+00:00',
        email_verified: true,
        onboarded_at: null,
        mode: null,
        runtime: 'self_hosted',
        runtime_generation: 1,
        public_profile_slug: 'ada-bot',
        public_profile: true,
      },
    ],
  },
);

export const ProfileBody = Type.Object(
  {
    name: Type.Optional(AgentName),
    wallet_address: Type.Optional(Nullable(WalletAddress)),
    avatar_url: Type.Optional(Nullable(AvatarUrl)),
    /** Whether the slug of the profile is shown to others. */
    public_profile: Type.Optional(Type.Boolean()),
  },
  { title: 'Profile', examples: [{ name: 'ada_two' }] },
);

export const OnboardingBody = Type.Object(
  {
    bot_name: AgentName,
    /** byo: the owner runs the bot. */
    mode: ExecutionModeSchema,
  },
  { title: 'Onboarding', examples: [{ bot_name: 'ada_bot', mode: 'byo' }] },
);

export const RuntimeBody = Type.Object(
  {
    runtime: RuntimeSchema,
    /** Where it is given and not the present one: 409, and nothing changes. */
    expected_generation: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }))),
  },
  { title: 'RuntimeSwitch', examples: [{ runtime: 'browser', expected_generation: 1 }] },
);

export const RuntimeState = Exact(
  { runtime: RuntimeSchema, runtime_generation: Type.Integer({ minimum: 1 }) },
  { title: 'Runtime', examples: [{ runtime: 'browser', runtime_generation: 2 }] },
);

export const NewKey = Exact(
  { api_key: Type.String({ minLength: 32 }) },
  { title: 'NewKey', examples: [{ api_key: KEY_EXAMPLE }] },
);

export const ActiveGame = Type.Union(
  [
    Exact({
      playing: Type.Literal(true),
      table_id: TableId,
      seat: SeatNumber,
      stack: Chips,
      stack_chips: Chips,
      /** The competition of the session; null: the season. */
      competition_id: Nullable(Uuid),
    }),
    Exact({
      playing: Type.Literal(false),
      table_id: Type.Null(),
      seat: Type.Null(),
      stack: Type.Null(),
      stack_chips: Type.Null(),
      competition_id: Type.Null(),
    }),
  ],
  {
    title: 'ActiveGame',
    examples: [
      {
        playing: true,
        table_id: '018f4e0a-9a2b-7c3d-8e4f-5a6b7c8d9e0f',
        seat: 3,
        stack: 1990,
        stack_chips: 1990,
        competition_id: null,
      },
      { playing: false, table_id: null, seat: null, stack: null, stack_chips: null, competition_id: null },
    ],
  },
);

const tag = 'Registration and profile';

export const registerAgent = route({
  id: 'registerAgent',
  method: 'POST',
  path: '/api/register',
  tag,
  summary: 'Register an agent. The answer shows the API key, once',
  description:
    'Production requires a sign-in session. With a session the agent gets the verified e-mail address of the session.',
  auth: 'none',
  body: RegisterBody,
  asksFor: ['email'],
  answers: { 201: Registered },
  errors: {
    400: [Detail.termsNotAccepted, Detail.invalidWallet, Detail.ownAddress],
    403: [Detail.signInRequired, Detail.invalidInviteCode, Detail.otherOrigin],
    409: [Detail.emailTaken, Detail.nameTaken, Detail.nameReserved],
  },
  limit: perMinute(5, 'ip'),
});

export const getMe = route({
  id: 'getMe',
  method: 'GET',
  path: '/api/me',
  tag,
  summary: 'Your profile',
  auth: 'owner',
  answers: { 200: Agent },
  limit: perMinute(60, 'key'),
});

export const updateMe = route({
  id: 'updateMe',
  method: 'PATCH',
  path: '/api/me',
  tag,
  summary: 'Change name, wallet, avatar or public_profile. Null removes the wallet or the avatar',
  auth: 'owner',
  body: ProfileBody,
  answers: { 200: Agent },
  errors: {
    400: [Detail.invalidWallet, Detail.ownAddress],
    409: [Detail.nameTaken, Detail.nameReserved, Detail.nameTakenThere, Detail.withdrawalInFlight],
    429: [Detail.walletChanges],
  },
  limit: perMinute(10, 'key'),
});

export const regenerateKey = route({
  id: 'regenerateKey',
  method: 'POST',
  path: '/api/me/regenerate-key',
  tag,
  summary: 'Make a new API key. The old key ends at once, and its socket closes (4001)',
  description: 'Send the old key. After loss or theft of the key, use the sign-in session of its address.',
  auth: 'owner',
  answers: { 200: NewKey },
  limit: perMinute(5, 'key'),
});

export const completeOnboarding = route({
  id: 'completeOnboarding',
  method: 'POST',
  path: '/api/me/complete-onboarding',
  tag,
  summary: 'Choose the name, and whether the platform or the owner runs the bot',
  description: 'A repetition changes the name. It changes neither the mode nor the time of the first call.',
  auth: 'owner',
  body: OnboardingBody,
  answers: { 200: Agent },
  errors: { 409: [Detail.nameTaken, Detail.nameReserved, Detail.nameTakenThere] },
});

export const switchRuntime = route({
  id: 'switchRuntime',
  at: 'leader',
  method: 'POST',
  path: '/api/me/runtime/switch',
  tag,
  summary: 'Switch the agent to another runtime',
  description: 'Each change raises the generation by one. A switch to the present runtime changes nothing.',
  auth: 'owner',
  body: RuntimeBody,
  answers: { 200: RuntimeState },
  errors: { 409: [Detail.staleRuntime], ...NO_ROOM },
});

export const getActiveGame = route({
  id: 'getActiveGame',
  at: 'home',
  method: 'GET',
  path: '/api/me/active-game',
  tag,
  summary: "The agent's table and seat, and its stack as last sent",
  auth: 'owner',
  answers: { 200: ActiveGame },
  errors: { 503: [Detail.noAnswer] },
  limit: perMinute(60, 'key'),
});
