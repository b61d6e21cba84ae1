import type { PoolPhase } from '../store/pool-phase.js';
import type { OpenCards } from '../protocol/rest/competition-fields.js';
import type { CompetitionState, Spectators } from './states.js';

/** How play goes in a competition. Chips whole. */
export interface CompetitionRules {
  starting_chips: number;
  minimum_buy_in: number;
  default_buy_in: number;
  maximum_buy_in: number;
  small_blind: number;
  big_blind: number;
  max_players: number;
  minimum_hands: number;
  rebuys_enabled: boolean;
  /** 0 where rebuys are not enabled. */
  max_rebuys: number;
  rebuy_chips: number;
  /** Taken off the score, for each rebuy. */
  rebuy_score_penalty: number;
  rebuy_cooldown_seconds: number;
  duplicate: boolean;
  /** Null: as in a season. */
  between_hands_ms: number | null;
  action_timeout_ms: number | null;
  time_bank: boolean;
  /** The most hands of all tables together. Null: no limit. */
  hand_limit: number | null;
  spectators: Spectators;
  open_cards: OpenCards;
}

/** A row of `competitions`; its secret stays with whoever deals. */
export interface CompetitionRecord extends CompetitionRules {
  competition_id: string;
  slug: string;
  organizer_id: string;
  state: CompetitionState;
  version: number;
  name: string;
  organization_name: string | null;
  description: string | null;
  reward_description: string | null;
  display_timezone: string;
  participant_cap: number;
  /** Bots without an invitation may ask to join. */
  join_requests: boolean;
  enrollment_deadline: Date | null;
  starts_at: Date | null;
  ends_at: Date;
  created_at: Date;
  updated_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  finalized_at: Date | null;
  cancelled_at: Date | null;
}

/** The playing side's copy of a competition that is not over. */
export interface LivePool extends CompetitionRules {
  competition_id: string;
  state: CompetitionState;
  /** The version of its record. The higher one is the later. */
  version: number;
  /** The phase that the competition's clock has set for the tables. */
  phase: PoolPhase;
  /** 32 bytes, as hex. */
  deck_secret: string;
}
