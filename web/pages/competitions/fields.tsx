import type { Body } from '../../lib/api.js';
import { Check, Field, Select, TextArea } from '../../ui/form.js';
import type { Competition } from './status.js';
import { fieldsTexts as words } from '../../texts/competitions.js';

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
const FLAGS = ['rebuys_enabled', 'duplicate', 'time_bank'] as const;

export const FIELD_NAMES: readonly string[] = [...TEXTS, ...DATES, ...NUMBERS, ...FLAGS, 'spectators'];

type TextName = (typeof TEXTS)[number] | (typeof DATES)[number] | (typeof NUMBERS)[number];

/** Everything as it stands in the form. */
export type Draft = Record<TextName, string> &
  Record<(typeof FLAGS)[number], boolean> & { spectators: Create['spectators'] };

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
    spectators: 'public',
  };
}

export function draftOf(record: Competition): Draft {
  const empty = emptyDraft();
  const texts = Object.fromEntries(TEXTS.map((name) => [name, record[name] ?? '']));
  const dates = Object.fromEntries(DATES.map((name) => [name, record[name] === null ? '' : localOf(record[name])]));
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, record[name] === null ? '' : String(record[name])]));
  const { rebuys_enabled, duplicate, time_bank, spectators } = record;
  const flags = { rebuys_enabled, duplicate, time_bank, spectators };
  return { ...empty, ...texts, ...dates, ...numbers, ...flags };
}

/** What the server is sent of it; empty fields are null. */
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
  const { rebuys_enabled, duplicate, time_bank, spectators } = draft;
  const display_timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    ...texts,
    name: draft.name.trim(),
    ...dates,
    ...numbers,
    rebuys_enabled,
    duplicate,
    time_bank,
    spectators,
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
        label={words.name}
        required
        minLength={3}
        maxLength={80}
        value={draft.name}
        onValue={(name) => set({ name })}
        error={errors['name']}
      />
      <Field
        label={words.organization}
        maxLength={100}
        value={draft.organization_name}
        onValue={(organization_name) => set({ organization_name })}
        error={errors['organization_name']}
        hint={words.mayStayEmpty}
      />
      <TextArea
        label={words.description}
        maxLength={4000}
        value={draft.description}
        onValue={(description) => set({ description })}
        error={errors['description']}
        hint={words.whatItIsAboutEverybody}
      />
      <TextArea
        label={words.reward}
        maxLength={4000}
        rows={2}
        value={draft.reward_description}
        onValue={(reward_description) => set({ reward_description })}
        error={errors['reward_description']}
      />
      <Select
        label={words.whoMayWatch}
        value={draft.spectators ?? 'public'}
        onValue={(spectators) => set({ spectators })}
        options={[
          ['public', words.everybody],
          ['participants', words.thoseWhoTakePart],
          ['none', words.nobody],
        ]}
        error={errors['spectators']}
        hint={words.tablesLiveAndHandsThat}
      />
    </>
  );
}

export function Dates({ draft, set, errors }: PartProps) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <p class="soft">
        {words.timesAreYours}
        {zone}.
      </p>
      <Field
        label={words.enrollUntil}
        type="datetime-local"
        value={draft.enrollment_deadline}
        onValue={(enrollment_deadline) => set({ enrollment_deadline })}
        error={errors['enrollment_deadline']}
        hint={words.leftEmptyUntilYouClose}
      />
      <Field
        label={words.starts}
        type="datetime-local"
        value={draft.starts_at}
        onValue={(starts_at) => set({ starts_at })}
        error={errors['starts_at']}
        hint={words.leftEmptyWhenYouStart}
      />
      <Field
        label={words.ends}
        type="datetime-local"
        required
        value={draft.ends_at}
        onValue={(ends_at) => set({ ends_at })}
        error={errors['ends_at']}
        hint={words.handsInProgressArePlayed}
      />
    </>
  );
}

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
        {number('participant_cap', words.botsAtMost, words.to)}
        {number('starting_chips', words.startingChips)}
        {number('small_blind', words.smallBlind)}
        {number('big_blind', words.bigBlind)}
        {number('minimum_buy_in', words.buyInAtLeast)}
        {number('default_buy_in', words.buyInByDefault)}
        {number('maximum_buy_in', words.buyInAtMost)}
        {number('max_players', words.seatsAtATable, words.to2)}
        {number('minimum_hands', words.handsToBeRanked, words.fewerDoNotRank)}
        {number('hand_limit', words.handsOfAllTables, words.leftEmptyPlayEndsBy)}
        {number('action_timeout_ms', words.timeToActInMs, words.leftEmptyAsInA)}
      </div>
      <Check
        label={words.theSameDecksAtAll}
        hint={words.allTablesDealTheSame}
        checked={draft.duplicate}
        onValue={(duplicate) => set({ duplicate })}
      />
      <Check
        label={words.timeBank}
        hint={words.besideFasterBots}
        checked={draft.time_bank}
        onValue={(time_bank) => set({ time_bank })}
      />
      <Check
        label={words.rebuys}
        hint={words.whoeverIsOutOfChips}
        checked={draft.rebuys_enabled}
        onValue={(on) =>
          set({ rebuys_enabled: on, max_rebuys: on ? (draft.max_rebuys === '0' ? '1' : draft.max_rebuys) : '0' })
        }
      />
      {draft.rebuys_enabled && (
        <div class="columns">
          {number('max_rebuys', words.rebuysAtMost, words.to3)}
          {number('rebuy_chips', words.chipsEach)}
          {number('rebuy_score_penalty', words.pointsOffEach)}
        </div>
      )}
    </>
  );
}
