import type { AbuseCase } from './case.js';
import { deepJson, nonceFlood, rebuyFlood, resyncFlood, seatedNonces } from './cases/chatter.js';
import { churners, connections, hostedQuota, organizersPool } from './cases/crowds.js';
import { continuationFlood } from './cases/continuation-flood.js';
import { pingFlood, pongFlood } from './cases/control-flood.js';
import { slowExports } from './cases/exports.js';
import { messageFlood } from './cases/message-flood.js';
import * as requests from './cases/requests.js';
import { ghostSeats, joinLeave, silentSitter, slowMedian, slowPlay } from './cases/seats.js';
import { slowFragments } from './cases/slow-fragments.js';
import { takeovers } from './cases/takeovers.js';
import { unreadAnswers } from './cases/unread-answers.js';

/** Attacks without a seat, or with one only beforehand. */
export const atTheDoors: readonly AbuseCase[] = [
  // The first: its agents have to come in, before others have used up what an address may connect.
  slowExports,
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
  connections,
  hostedQuota,
  organizersPool,
  requests.healthFlood,
  requests.pageFlood,
  requests.profileChanges,
  requests.signInLinks,
  requests.mailQuota,
  requests.competitions,
  requests.inviteLinks,
  requests.slowWrites,
  requests.idempotencyKeys,
  requests.reading,
  // The last: from its address only keys that are known are let through afterwards.
  requests.randomKeys,
];

/** Every case, in the order in which they run. */
export const cases: readonly AbuseCase[] = [
  ...atTheDoors,
  seatedNonces,
  ghostSeats,
  silentSitter,
  slowPlay,
  slowMedian,
  joinLeave,
  churners,
];
