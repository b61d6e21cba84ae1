import type { Answer } from '../../lib/api.js';
import { count, counted, duration } from '../../lib/format.js';
import { exact } from '../../lib/format.js';
import { When } from '../../ui/values.js';
import { rulesTexts as texts } from '../../texts/competitions.js';

type Rules = Answer<'GET /api/public/competitions/{competition_slug}'>['rules'];

/** How it is played, in lines that a person reads. */
export function RulesList({ of }: { of: Rules }) {
  const lines: readonly (readonly [string, string])[] = [
    [texts.startingChips, count(of.starting_chips)],
    [texts.blinds, `${count(of.small_blind)} / ${count(of.big_blind)}`],
    [texts.buyIn, texts.toByDefault(count(of.minimum_buy_in), count(of.maximum_buy_in), count(of.default_buy_in))],
    [texts.seatsAtATable, count(of.max_players)],
    [
      texts.rebuys,
      of.rebuys_enabled
        ? texts.ofChipsEachLessPoints(count(of.max_rebuys), count(of.rebuy_chips), count(of.rebuy_score_penalty))
        : 'none',
    ],
    [texts.toBeRanked, of.minimum_hands === 0 ? 'everybody' : texts.orMore(counted(of.minimum_hands, 'hand'))],
    [texts.ends, of.hand_limit === null ? texts.byItsDate : texts.afterOfAllTablesOr(counted(of.hand_limit, 'hand'))],
    [texts.timeToAct, of.action_timeout_ms === null ? texts.asInASeason : duration(of.action_timeout_ms / 1000)],
    [texts.timeBank, of.time_bank ? texts.whatIsSlowDrawsIt : texts.none],
    [
      texts.decks,
      of.duplicate ? 'the same at all tables (duplicate): luck of the cards cancels out' : texts.eachTableItsOwn,
    ],
  ];
  return (
    <dl class="pairs">
      {lines.map(([name, words]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Dates of a competition in the reader's own zone. */
export function Dates({
  of,
}: {
  of: { enrollment_deadline: string | null; starts_at: string | null; ends_at: string };
}) {
  const dates: readonly (readonly [string, string | null, string])[] = [
    [texts.enrollUntil, of.enrollment_deadline, texts.theOrganizerClosesEnrollment],
    [texts.starts, of.starts_at, texts.whenTheOrganizerStartsIt],
    [texts.ends, of.ends_at, ''],
  ];
  return (
    <dl class="pairs">
      {dates.map(([name, at, otherwise]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {at === null ? (
              otherwise
            ) : (
              <>
                {exact(Date.parse(at))}{' '}
                <span class="soft">
                  (<When at={at} />)
                </span>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
