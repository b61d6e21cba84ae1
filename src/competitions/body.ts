import type { Static } from 'typebox';
import { utc, utcOrNull } from '../protocol/common.js';
import type { Competition } from '../protocol/rest/competition-record.js';
import { duplicateNote } from './results/duplicate.js';
import type { SeenRecord } from './queries.js';
import type { CompetitionRules } from './record.js';

/** How play goes, alone: of anything that has more. */
export function rulesBody(rules: CompetitionRules): CompetitionRules {
  const { starting_chips, minimum_buy_in, default_buy_in, maximum_buy_in, small_blind, big_blind } = rules;
  const { max_players, minimum_hands, rebuys_enabled, max_rebuys, rebuy_chips } = rules;
  const { rebuy_score_penalty, rebuy_cooldown_seconds, duplicate } = rules;
  const { between_hands_ms, action_timeout_ms, time_bank, hand_limit, spectators, open_cards } = rules;
  return {
    starting_chips,
    minimum_buy_in,
    default_buy_in,
    maximum_buy_in,
    small_blind,
    big_blind,
    max_players,
    minimum_hands,
    rebuys_enabled,
    max_rebuys,
    rebuy_chips,
    rebuy_score_penalty,
    rebuy_cooldown_seconds,
    duplicate,
    between_hands_ms,
    action_timeout_ms,
    time_bank,
    hand_limit,
    spectators,
    open_cards,
  };
}

/** A record as the agent that it was read for sees it. */
export function competitionBody(record: SeenRecord, agentId: string): Static<typeof Competition> {
  return {
    competition_id: record.competition_id,
    slug: record.slug,
    status: record.state,
    version: record.version,
    organizer_id: record.organizer_id,
    is_organizer: record.organizer_id === agentId,
    is_co_organizer: record.co_organizer,
    participation: record.participation,
    participant_count: record.participant_count,
    name: record.name,
    organization_name: record.organization_name,
    description: record.description,
    reward_description: record.reward_description,
    display_timezone: record.display_timezone,
    participant_cap: record.participant_cap,
    join_requests: record.join_requests,
    enrollment_deadline: utcOrNull(record.enrollment_deadline),
    starts_at: utcOrNull(record.starts_at),
    ends_at: utc(record.ends_at),
    ...rulesBody(record),
    duplicate_note: duplicateNote(record),
    value_function_sha256: record.value_function_sha256,
    created_at: utc(record.created_at),
    updated_at: utc(record.updated_at),
    started_at: utcOrNull(record.started_at),
    ended_at: utcOrNull(record.ended_at),
    finalized_at: utcOrNull(record.finalized_at),
    cancelled_at: utcOrNull(record.cancelled_at),
  };
}
