import type { Config } from '../ops/settings.js';

/** The terms of a season. Chips whole, times in seconds. */
export interface SeasonRules {
  lengthSeconds: number;
  /** No new hands in the last seconds. */
  windDownSeconds: number;
  startingChips: number;
  /** A balance below it is out of chips where `rebuyWhen` is below_buy_in. */
  minimumBuyIn: number;
  rebuyChips: number;
  rebuyPenalty: number;
  /** Before the 1st, 2nd, … rebuy; the last repeats. */
  rebuyCooldowns: readonly number[];
  rebuyCooldownsPro: readonly number[];
  rebuyWhen: 'below_buy_in' | 'zero';
  prizePoolCents: number;
  prizes: PrizeRules;
  /** Everybody is written to so long before the end; 0: nobody is. */
  endingSoonSeconds: number;
}

/** The conditions of a prize place, and the time that a prize waits for an operator's look. */
export interface PrizeRules {
  minHands: number;
  /** Different owners met at tables. */
  minOpponents: number;
  holdHours: number;
}

export type SeasonSettings = Pick<
  Config,
  | 'SEASON_SECONDS'
  | 'WIND_DOWN_SECONDS'
  | 'STARTING_CHIPS'
  | 'REBUY_CHIPS'
  | 'REBUY_PENALTY'
  | 'REBUY_COOLDOWNS'
  | 'REBUY_COOLDOWNS_PRO'
  | 'REBUY_WHEN'
  | 'SEASON_PASS_CENTS'
  | 'LEADERBOARD_REFRESH_MS'
  | 'PRIZE_POOL_CENTS'
  | 'PRIZE_MIN_HANDS'
  | 'PRIZE_MIN_OPPONENTS'
  | 'PRIZE_HOLD_HOURS'
  | 'ENDING_SOON_SECONDS'
>;

export function seasonRules(settings: SeasonSettings, minimumBuyIn: number): SeasonRules {
  return {
    lengthSeconds: settings.SEASON_SECONDS,
    windDownSeconds: settings.WIND_DOWN_SECONDS,
    startingChips: settings.STARTING_CHIPS,
    minimumBuyIn,
    rebuyChips: settings.REBUY_CHIPS,
    rebuyPenalty: settings.REBUY_PENALTY,
    rebuyCooldowns: settings.REBUY_COOLDOWNS,
    rebuyCooldownsPro: settings.REBUY_COOLDOWNS_PRO ?? settings.REBUY_COOLDOWNS,
    rebuyWhen: settings.REBUY_WHEN,
    prizePoolCents: settings.PRIZE_POOL_CENTS,
    prizes: {
      minHands: settings.PRIZE_MIN_HANDS,
      minOpponents: settings.PRIZE_MIN_OPPONENTS,
      holdHours: settings.PRIZE_HOLD_HOURS,
    },
    endingSoonSeconds: settings.ENDING_SOON_SECONDS,
  };
}

/** Fewer hands do not rank (protocol.md, "Seasons"). */
export const MINIMUM_HANDS = 10;

/** The highest balance that counts as out of chips. */
export const outOfChipsAt = ({ rebuyWhen, minimumBuyIn }: SeasonRules) => (rebuyWhen === 'zero' ? 0 : minimumBuyIn - 1);

/** Seconds before the next rebuy of an entry that used so many already. */
export function cooldownAfter(rebuys: number, premium: boolean, rules: SeasonRules): number {
  const cooldowns = premium ? rules.rebuyCooldownsPro : rules.rebuyCooldowns;
  return cooldowns[Math.min(rebuys, cooldowns.length - 1)] ?? 0;
}

/** When a season stops dealing: never before half of it is over, however short it is. In epoch ms. */
export function windDownAt(season: { startsAt: number; endsAt: number }, rules: Pick<SeasonRules, 'windDownSeconds'>) {
  return Math.max(season.endsAt - rules.windDownSeconds * 1000, (season.startsAt + season.endsAt) / 2);
}

/** When everybody gets the mail that the season ends soon; null where it is no longer than that notice. In epoch ms. */
export function endingSoonAt(
  season: { startsAt: number; endsAt: number },
  { endingSoonSeconds }: Pick<SeasonRules, 'endingSoonSeconds'>,
): number | null {
  const at = season.endsAt - endingSoonSeconds * 1000;
  return endingSoonSeconds > 0 && at > season.startsAt ? at : null;
}
