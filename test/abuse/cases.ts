import type { AbuseCase } from './case.js';
import { deepJson, nonceFlood, rebuyFlood, resyncFlood, seatedNonces } from './cases/chatter.js';
import { continuationFlood } from './cases/continuation-flood.js';
import { pingFlood, pongFlood } from './cases/control-flood.js';
import { slowExports } from './cases/exports.js';
import { messageFlood } from './cases/message-flood.js';
import * as requests from './cases/requests.js';
import { ghostSeats, joinLeave, silentSitter, slowPlay } from './cases/seats.js';
import { slowFragments } from './cases/slow-fragments.js';
import { takeovers } from './cases/takeovers.js';
import { unreadAnswers } from './cases/unread-answers.js';

/** What is tried without a seat, without a seat. */
export const atTheDoors: readonly AbuseCase[] = [
  messageFlood,
  pingFlood,
  pongFlood,
  continuationFlood,
  slowFragments,
  unreadAnswers,
  deepJson,
  rebuyFlood,
  nonceFlood,
  resyncFlood,
  takeovers,
  requests.healthFlood,
  requests.pageFlood,
  requests.profileChanges,
  requests.signInLinks,
  requests.competitions,
  requests.inviteLinks,
  requests.idempotencyKeys,
  requests.reading,
  // The last: from its address only keys that are known are let through afterwards.
  requests.randomKeys,
];

/** Every case, in the order in which they run. */
export const cases: readonly AbuseCase[] = [
  ...atTheDoors,
  slowExports,
  seatedNonces,
  ghostSeats,
  silentSitter,
  slowPlay,
  joinLeave,
];
