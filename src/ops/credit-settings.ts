import Type from 'typebox';
import { address, hour, int, oneOfTexts, setting, nonEmptyText, type Setting } from './setting.js';

/** Settings of credits: the chain that they come from and go to, and what a withdrawal may be. */
export const creditSettings = {
  RPC_URL: setting(
    Type.String({ pattern: '^https?://' }),
    'node of the chain for credits; set it with CHAIN_ID, TOKEN_ADDRESS and TREASURY_ADDRESS, or set none of the four',
    undefined,
    { secret: true },
  ),
  CHAIN_ID: setting(int(1, Number.MAX_SAFE_INTEGER), 'the chain that the node must serve'),
  TOKEN_ADDRESS: setting(address, 'the stablecoin, of 6 decimals'),
  TREASURY_ADDRESS: setting(address, 'where deposits go to and withdrawals come from'),
  TREASURY_KEY: setting(
    Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
    "the treasury's private key; TREASURY_KEY_FILE is better; without both, withdrawals wait",
    undefined,
    { secret: true },
  ),
  TREASURY_KEY_FILE: setting(nonEmptyText, "file that holds the treasury's private key"),
  WALLET_PROOF: setting(
    oneOfTexts('required', 'off'),
    "required: deposits come from a wallet that the agent has proven; off: from the agent's wallet_address, for a private chain",
    'required',
  ),
  FUNDING_ADDRESSES: setting(
    Type.Array(address, { minItems: 1, maxItems: 100 }),
    'addresses that fund the treasury: no deposit comes from them',
  ),
  CONFIRMATIONS: setting(int(1, 1000), 'blocks before a deposit is credited and a withdrawal counts as paid', 12),
  CHAIN_WATCH_HOURS: setting(
    int(1, 720),
    'hours for which credited deposits and paid withdrawals are watched, in case the chain drops them',
    24,
  ),
  CHAIN_POLL_MS: setting(int(50, hour), 'pause between two looks at the chain', 4000),
  WITHDRAW_RAISE_MS: setting(
    int(100, 24 * hour),
    'time after which an unmined withdrawal is signed with a higher fee',
    120_000,
  ),
  WITHDRAW_MAX_GAS_PRICE_GWEI: setting(
    int(1, 10_000_000),
    "maximum bid for a unit of gas, in billionths of the chain's coin; above it withdrawals wait",
    200,
  ),
  WITHDRAW_MAX_FEE_GWEI: setting(
    int(1, Number.MAX_SAFE_INTEGER),
    "maximum cost of a payment, in billionths of the chain's coin; above it withdrawals wait",
    20_000_000,
  ),
  WITHDRAW_MIN_CENTS: setting(int(1, 1_000_000_000), 'smallest withdrawal', 100),
  WITHDRAW_MAX_CENTS: setting(int(1, 1_000_000_000), 'largest withdrawal', 10_000),
  WITHDRAW_DAILY_CENTS: setting(int(1, 1_000_000_000), 'maximum that an agent may withdraw in 24 hours', 50_000),
  WITHDRAW_HOLD_HOURS: setting(
    int(0, 720),
    "hours that withdrawals wait after a change of the agent's wallet; 0: they do not wait",
    24,
  ),
} satisfies Record<string, Setting>;

/** Those of them that may be absent. */
export type OptionalCreditSetting = Extract<
  keyof typeof creditSettings,
  | 'RPC_URL'
  | 'CHAIN_ID'
  | 'TOKEN_ADDRESS'
  | 'TREASURY_ADDRESS'
  | 'TREASURY_KEY'
  | 'TREASURY_KEY_FILE'
  | 'FUNDING_ADDRESSES'
>;
