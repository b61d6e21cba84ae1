import type { Body } from '../../lib/api.js';
import { Check, Field, Select, TextArea } from '../../ui/form.js';
import type { Competition } from './status.js';

/** The form of a competition, for a new one as for a change. Dates are in the reader's own zone. */

type Create = Body<'POST /api/competitions'>;

const TEXTS = ['name', 'organization_name', 'description', 'reward_description'] as const;
const DATES = ['enrollment_deadline', 'starts_at', 'ends_at'] as const;
const NUMBERS = [
  'participant_cap',
  'starting_chips',
  'minimum_buy_in',
  'default_buy_in',
  'maximum_buy_in',
  'small_blind',
  'big_blind',
  'max_players',
  'minimum_hands',
  'max_rebuys',
  'rebuy_chips',
  'rebuy_score_penalty',
  'hand_limit',
  'action_timeout_ms',
] as const;
const FLAGS = ['rebuys_enabled', 'duplicate', 'time_bank', 'join_requests'] as const;

const CHOICES = ['spectators', 'open_cards'] as const;

export const FIELD_NAMES: readonly string[] = [...TEXTS, ...DATES, ...NUMBERS, ...FLAGS, ...CHOICES];

type TextName = (typeof TEXTS)[number] | (typeof DATES)[number] | (typeof NUMBERS)[number];

/** Everything as it stands in the form. */
export type Draft = Record<TextName, string> &
  Record<(typeof FLAGS)[number], boolean> &
  Pick<Create, (typeof CHOICES)[number]>;

const DAY_MS = 86_400_000;

export function emptyDraft(): Draft {
  const texts = Object.fromEntries([...TEXTS, ...DATES, ...NUMBERS].map((name) => [name, ''])) as Record<
    TextName,
    string
  >;
  const defaults = {
    participant_cap: '24',
    starting_chips: '5000',
    minimum_buy_in: '1000',
    default_buy_in: '2000',
    maximum_buy_in: '5000',
    small_blind: '10',
    big_blind: '20',
    max_players: '6',
    minimum_hands: '0',
    max_rebuys: '0',
    rebuy_chips: '1000',
    rebuy_score_penalty: '0',
  };
  const ends_at = localOf(new Date(Date.now() + DAY_MS).toISOString());
  return {
    ...texts,
    ...defaults,
    ends_at,
    rebuys_enabled: false,
    duplicate: false,
    time_bank: true,
    join_requests: false,
    spectators: 'public',
    open_cards: 'after_pool',
  };
}

export function draftOf(record: Competition): Draft {
  const empty = emptyDraft();
  const texts = Object.fromEntries(TEXTS.map((name) => [name, record[name] ?? '']));
  const dates = Object.fromEntries(DATES.map((name) => [name, record[name] === null ? '' : localOf(record[name])]));
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, record[name] === null ? '' : String(record[name])]));
  const { rebuys_enabled, duplicate, time_bank, join_requests, spectators, open_cards } = record;
  const flags = { rebuys_enabled, duplicate, time_bank, join_requests, spectators, open_cards };
  return { ...empty, ...texts, ...dates, ...numbers, ...flags };
}

/** The body for the server. Empty fields are null. */
export function bodyOf(draft: Draft): Create {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, draft[name].trim() === '' ? null : draft[name].trim()]));
  const dates = Object.fromEntries(
    DATES.map((name) => [name, draft[name] === '' ? null : new Date(draft[name]).toISOString()]),
  );
  const numbers = Object.fromEntries(
    NUMBERS.filter((name) => draft[name] !== '' || OPEN.has(name)).map((name) => [
      name,
      draft[name] === '' ? null : Number(draft[name]),
    ]),
  );
  const { rebuys_enabled, duplicate, time_bank, join_requests, spectators, open_cards } = draft;
  const display_timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    ...texts,
    name: draft.name.trim(),
    ...dates,
    ...numbers,
    rebuys_enabled,
    duplicate,
    time_bank,
    join_requests,
    spectators,
    open_cards,
    display_timezone,
  } as unknown as Create;
}

/** Numbers that may be left open. */
const OPEN: ReadonlySet<string> = new Set(['hand_limit', 'action_timeout_ms']);

/** Only what differs: a field that may not change any more is not touched then. */
export function changesOf(record: Competition, draft: Draft): Body<'PATCH /api/competitions/{competition_id}'> {
  const before = bodyOf(draftOf(record)) as Record<string, unknown>;
  const after = bodyOf(draft) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value !== before[name] && name !== 'display_timezone'),
  );
}

/** As an input of dates wants it: local, to the minute. */
function localOf(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface PartProps {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  errors: Readonly<Record<string, string>>;
}

export function About({ draft, set, errors }: PartProps) {
  return (
    <>
      <Field
        label="Name"
        required
        minLength={3}
        maxLength={80}
        value={draft.name}
        onValue={(name) => set({ name })}
        error={errors['name']}
      />
      <Field
        label="Organization"
        maxLength={100}
        value={draft.organization_name}
        onValue={(organization_name) => set({ organization_name })}
        error={errors['organization_name']}
        hint="May stay empty."
      />
      <TextArea
        label="Description"
        maxLength={4000}
        value={draft.description}
        onValue={(description) => set({ description })}
        error={errors['description']}
        hint="A description for all visitors of its page."
      />
      <TextArea
        label="Reward"
        maxLength={4000}
        rows={2}
        value={draft.reward_description}
        onValue={(reward_description) => set({ reward_description })}
        error={errors['reward_description']}
      />
      <Select
        label="Spectators"
        value={draft.spectators ?? 'public'}
        onValue={(spectators) => set({ spectators })}
        options={[
          ['public', 'Everybody'],
          ['participants', 'Participants'],
          ['none', 'Nobody'],
        ]}
        error={errors['spectators']}
        hint="They see live tables and finished hands. All visitors of the page see the standings."
      />
      <Check
        label="Bots may ask to join"
        hint="You accept or decline each request. Without it bots come by invitation alone."
        checked={draft.join_requests}
        onValue={(join_requests) => set({ join_requests })}
      />
    </>
  );
}

export function Dates({ draft, set, errors }: PartProps) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <p class="soft">Times are yours: {zone}.</p>
      <Field
        label="Enroll until"
        type="datetime-local"
        value={draft.enrollment_deadline}
        onValue={(enrollment_deadline) => set({ enrollment_deadline })}
        error={errors['enrollment_deadline']}
        hint="Left empty: until you close enrollment or start."
      />
      <Field
        label="Starts"
        type="datetime-local"
        value={draft.starts_at}
        onValue={(starts_at) => set({ starts_at })}
        error={errors['starts_at']}
        hint="Left empty: when you start it."
      />
      <Field
        label="Ends"
        type="datetime-local"
        required
        value={draft.ends_at}
        onValue={(ends_at) => set({ ends_at })}
        error={errors['ends_at']}
        hint="Hands in progress are played to their end."
      />
    </>
  );
}

const OPEN_CARDS_OPTIONS: [NonNullable<Create['open_cards']>, string][] = [
  ['after_pool', 'Open when play is over'],
  ['after_hand', 'Open after each hand'],
  ['never', 'Stay closed'],
];

export function Rules({ draft, set, errors }: PartProps) {
  const number = (name: (typeof NUMBERS)[number], label: string, hint = '') => (
    <Field
      label={label}
      type="number"
      inputMode="numeric"
      value={draft[name]}
      onValue={(value) => set({ [name]: value })}
      error={errors[name]}
      hint={hint === '' ? undefined : hint}
    />
  );
  return (
    <>
      <div class="columns">
        {number('participant_cap', 'Bots at most', '2 to 2,000')}
        {number('starting_chips', 'Starting chips')}
        {number('small_blind', 'Small blind')}
        {number('big_blind', 'Big blind')}
        {number('minimum_buy_in', 'Buy-in, at least')}
        {number('default_buy_in', 'Buy-in, by default')}
        {number('maximum_buy_in', 'Buy-in, at most')}
        {number('max_players', 'Seats at a table', '2 to 6')}
        {number('minimum_hands', 'Hands to be ranked', 'Fewer do not rank.')}
        {number('hand_limit', 'Hands of all tables', 'Left empty: play ends by its date.')}
        {number('action_timeout_ms', 'Time to act, in ms', 'Left empty: as in a season.')}
      </div>
      <Check
        label="The same decks at all tables (duplicate)"
        hint="All tables deal the same cards to rotated seats, so that skill shows in fewer hands."
        checked={draft.duplicate}
        onValue={(duplicate) =>
          // The same cards come again at other tables.
          set({ duplicate, ...(duplicate && draft.open_cards === 'after_hand' && { open_cards: 'after_pool' }) })
        }
      />
      <Select
        label="Folded and mucked cards"
        value={draft.open_cards ?? 'after_pool'}
        onValue={(open_cards) => set({ open_cards })}
        options={OPEN_CARDS_OPTIONS.filter(([value]) => !draft.duplicate || value !== 'after_hand')}
        error={errors['open_cards']}
        hint="They open with their proof, to all who may see the hands."
      />
      <Check
        label="Time bank"
        hint="Beside faster bots, slow decisions use it up. When it is empty, the clock is short."
        checked={draft.time_bank}
        onValue={(time_bank) => set({ time_bank })}
      />
      <Check
        label="Rebuys"
        hint="A bot without chips may get new ones, and loses points of its score."
        checked={draft.rebuys_enabled}
        onValue={(on) =>
          set({ rebuys_enabled: on, max_rebuys: on ? (draft.max_rebuys === '0' ? '1' : draft.max_rebuys) : '0' })
        }
      />
      {draft.rebuys_enabled && (
        <div class="columns">
          {number('max_rebuys', 'Rebuys at most', '1 to 20')}
          {number('rebuy_chips', 'Chips each')}
          {number('rebuy_score_penalty', 'Points off each')}
        </div>
      )}
    </>
  );
}
