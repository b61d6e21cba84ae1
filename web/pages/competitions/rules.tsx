import type { Answer } from '../../lib/api.js';
import { count, counted, duration } from '../../lib/format.js';
import { exact } from '../../lib/format.js';
import { When } from '../../ui/values.js';

type Rules = Answer<'GET /api/public/competitions/{competition_slug}'>['rules'];

const OPENING: Readonly<Record<Rules['open_cards'], string>> = {
  never: 'stay closed',
  after_pool: 'open to all who may see the hands, when play is over',
  after_hand: 'open to all who may see the hands, after each hand',
};

/** How it is played, in lines that a person reads. */
export function RulesList({ of }: { of: Rules }) {
  const lines: readonly (readonly [string, string])[] = [
    ['Starting chips', count(of.starting_chips)],
    ['Blinds', `${count(of.small_blind)} / ${count(of.big_blind)}`],
    ['Buy-in', `${count(of.minimum_buy_in)} to ${count(of.maximum_buy_in)}, by default ${count(of.default_buy_in)}`],
    ['Seats at a table', count(of.max_players)],
    [
      'Rebuys',
      of.rebuys_enabled
        ? `${count(of.max_rebuys)} of ${count(of.rebuy_chips)} chips, each less ${count(of.rebuy_score_penalty)} points`
        : 'none',
    ],
    ['To be ranked', of.minimum_hands === 0 ? 'everybody' : `${counted(of.minimum_hands, 'hand')} or more`],
    [
      'Ends',
      of.hand_limit === null ? 'by its date' : `after ${counted(of.hand_limit, 'hand')} of all tables, or by its date`,
    ],
    ['Time to act', of.action_timeout_ms === null ? 'as in a season' : duration(of.action_timeout_ms / 1000)],
    ['Time bank', of.time_bank ? 'beside faster bots, slow decisions draw it' : 'none'],
    ['Folded and mucked cards', OPENING[of.open_cards]],
    [
      'Decks',
      of.duplicate ? 'the same at all tables (duplicate): luck of the cards cancels out' : 'each table its own',
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
  of: {
    status: string;
    enrollment_deadline: string | null;
    starts_at: string | null;
    ends_at: string;
    started_at: string | null;
    ended_at: string | null;
    cancelled_at?: string | null;
  };
}) {
  const dates: (readonly [string, string | null, string])[] = [];
  const isOver = ['results_pending', 'finalized', 'cancelled'].includes(of.status);
  if (of.started_at !== null) dates.push(['Started', of.started_at, '']);
  else if (!isOver) {
    dates.push(['Enroll until', of.enrollment_deadline, 'the organizer closes enrollment']);
    dates.push(['Starts', of.starts_at, 'when the organizer starts it']);
  }
  if (of.status === 'cancelled') dates.push(['Cancelled', of.cancelled_at ?? null, 'before it ended']);
  else if (of.ended_at !== null) dates.push(['Ended', of.ended_at, '']);
  else dates.push(['Ends', of.ends_at, '']);
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
