import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOSE_REASONS, ERROR_CODES_NEVER_SENT, ERROR_MESSAGES, REJECTION_REASONS } from '../../src/protocol/codes.js';
import { ReplayedEvent } from '../../src/protocol/messages/state.js';
import { restSpecs } from '../../src/protocol/rest/index.js';
import { statusesOf } from '../../src/protocol/route.js';
import { ServerMessages } from '../../src/protocol/server.js';
import { Fields } from './fields.js';
import { CACHE, type Tier } from './tiers.js';

/**
 * The last check of `npm test` and `npm run test:system` together: which allowed answers of the server did no test see?
 * The recorders of the tests write their seen items to a folder for each tier.
 */

/** Items that need not be seen yet, and why. A rule without any item is a failure. */
export const EXCUSED: readonly { what: RegExp; why: string }[] = [
  { what: /^field table_closed (hand_id|hand_seq)$/, why: 'null by nature: a table closes between hands' },
  {
    what: /^field resync_response (replayed_events\[\]|snapshot\.(?!hero\.turn_token))/,
    why: 'the same objects as player_action, table_state, …, which are held to all their fields; the types replayed are counted apart',
  },
  {
    what: /^answer (create|update|start|pause|resume|end|cancel|finalize)Competition \d+ field \w+$/,
    why: 'the same record as of getCompetition, which is held to all its fields; not all can be set at each step',
  },
  {
    what: /^answer getPublicHand 200 field events\[\]/,
    why: 'the same objects as hand_start, player_action, community_cards and hand_result',
  },
  { what: /^answer (open|close)Enrollment 200 field \w+$/, why: 'the same' },
  {
    what: /^answer completeOnboarding 200 field withdrawals_wait_until$/,
    why: 'the same profile as of getMe, which is held to all its fields',
  },
  {
    what: /^answer listCollusion 200 field pairs\[\]\.shared\.pace_overlap$/,
    why: 'it needs two agents with a measured pace each, and no test plays that long',
  },
  {
    what: /^answer (getTable 200 field |getParticipantLive 200 field table\.|getPublicCompetition 200 field tables\[\]\.state\.)/,
    why: 'the same object as table_state, which is held to all its fields',
  },
  {
    what: /^answer (exportCompetitionHands|getCompetitionHand|getDuplicateDeck|getParticipantLive|listCompetitionHands) 200 field .*actions\[\]\.mix/,
    why: 'the same action as in exportHandHistory, where test/platform/mix holds all its fields',
  },
  {
    what: /^answer (askToJoin|withdrawJoinRequest|declineJoinRequest) 20[01] field \w+$/,
    why: 'the same request as of listJoinRequests, which is held to all its fields; not all can be set at each step',
  },
  {
    what: /^answer getParticipantLive 200 field hands\[\]\.(players|total_pot)/,
    why: 'the same hand as of getHandHistory, which tells these where it is asked with_players',
  },
  {
    what: /^answer getMoments 200 field big_pots\[\]\.players\[\]\.equity$/,
    why: 'null by nature: the moments of a kind have one form, and a big pot needs no cards',
  },
  {
    what: /^answer \w+ 200 field .*actions\[\]\.timeout$/,
    why: 'true or absent: test/rethink plays hands with timeouts from such files, and no server of a test has one exported',
  },
  {
    what: /^answer (getAnalytics|getLeaderboard|getCompetition\w+|getPublicCompetition) 200 field (standings\.)?(\w*\[\]\.)?bb_per_100_luck_adjusted/,
    why: 'the same estimate as of getAgentProfile: it needs a hundred counted hands of an agent',
  },
];

/** Items that the server never sends, by rule. A seen one is a failure. */
export const NEVER: ReadonlySet<string> = new Set(ERROR_CODES_NEVER_SENT.map((code) => `error ${code}`));

/** Everything that the schemas allow, in the terms of the recorder. */
export function mustSee(): Set<string> {
  const all: string[] = [];
  for (const [type, schema] of Object.entries(ServerMessages)) {
    all.push(`message ${type}`, ...new Fields(schema).all().map((field) => `field ${type} ${field}`));
  }
  for (const event of ReplayedEvent.anyOf) all.push(...typesOf(event).map((type) => `replayed ${type}`));
  all.push(...Object.keys(ERROR_MESSAGES).map((code) => `error ${code}`));
  all.push(...Object.keys(REJECTION_REASONS).map((code) => `rejected ${code}`));
  all.push(...Object.keys(CLOSE_REASONS).map((code) => `close ${code}`));
  for (const spec of restSpecs) {
    for (const status of statusesOf(spec)) {
      all.push(status === 413 ? 'answer any 413' : `answer ${spec.id} ${status}`);
      all.push(...(spec.files?.[status] ?? []).map((type) => `answer ${spec.id} ${status} as ${type}`));
      const fields = spec.answers[status] === undefined ? [] : new Fields(spec.answers[status]).all();
      all.push(...fields.map((field) => `answer ${spec.id} ${status} field ${field}`));
    }
  }
  return new Set(all.filter((item) => !NEVER.has(item)));
}

/** The message types of an event schema, or of each of its alternatives. */
function typesOf(schema: object): string[] {
  if ('anyOf' in schema) return (schema.anyOf as object[]).flatMap(typesOf);
  return [(schema as { properties: { type: { const: string } } }).properties.type.const];
}

export interface Verdict {
  missing: string[];
  forbidden: string[];
  staleExcuses: string[];
  required: number;
}

export function judge(seen: ReadonlySet<string>): Verdict {
  const all = [...mustSee()];
  const required = all.filter((item) => !EXCUSED.some(({ what }) => what.test(item)));
  return {
    missing: required.filter((item) => !seen.has(item)).sort(),
    forbidden: [...seen].filter((item) => NEVER.has(item)).sort(),
    staleExcuses: EXCUSED.filter(({ what }) => !all.some((item) => what.test(item))).map(({ what }) => String(what)),
    required: required.length,
  };
}

/** The folders with the seen items of each tier. */
export const SEEN: Readonly<Record<Tier, string>> = {
  unit: join(CACHE, 'seen/unit'),
  system: join(CACHE, 'seen/system'),
  long: join(CACHE, 'seen/long'),
};

/** The items that the processes of these folders saw. */
export function readSeen(dirs: readonly string[]): Set<string> {
  const files = dirs.flatMap((dir) =>
    existsSync(dir)
      ? readdirSync(dir)
          .filter((name) => name.endsWith('.json'))
          .map((name) => join(dir, name))
      : [],
  );
  return new Set(files.flatMap((path) => JSON.parse(readFileSync(path, 'utf8')) as string[]));
}

/**
 * Prints the verdict over both tiers after the system tier. Null if the other tier has not run. After the unit tier it
 * judges only items that must never be sent.
 */
export function protocolSeen(tier: Tier): boolean | null {
  const { missing, forbidden, staleExcuses, required } = judge(readSeen([SEEN.unit, SEEN.system]));
  for (const item of forbidden) console.log(`seen, but never to be sent: ${item}`);
  if (tier === 'unit') return forbidden.length === 0;
  if (readSeen([SEEN.unit]).size === 0) {
    console.log('protocol coverage: not judged, as npm test was not run before');
    return forbidden.length === 0;
  }
  for (const item of missing) console.log(`never seen: ${item}`);
  for (const rule of staleExcuses) console.log(`an excuse that fits nothing: ${rule}`);
  console.log(`protocol coverage: ${required - missing.length} of ${required} seen`);
  writeFileSync(join(CACHE, 'coverage.json'), JSON.stringify({ required, missing: missing.length }));
  return missing.length + forbidden.length + staleExcuses.length === 0;
}
