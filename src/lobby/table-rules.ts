import type { TableRules } from '../table/api.js';
import { isShownLive, type Audience } from './audience.js';
import type { Config } from '../ops/settings.js';

/** Events of one resync answer (protocol.md, "Resync"): a reader with the default SOCKET_BUFFER_BYTES takes it. */
const RESYNC_BYTES = 4 << 20;

/** The audience of seasons. It is also the limit of what a competition may show. */
export const houseAudience = ({
  SPECTATE,
  SPECTATE_DELAY_HANDS,
}: Pick<Config, 'SPECTATE' | 'SPECTATE_DELAY_HANDS'>): Audience => ({
  spectators: SPECTATE === 'on' ? 'public' : 'none',
  sealed: false,
  delayHands: SPECTATE_DELAY_HANDS,
});

/** The rules of every public table: six seats, blinds 10/20, and what the settings say. */
export function tableRules(config: Config): TableRules {
  return {
    seats: 6,
    smallBlind: 10,
    bigBlind: 20,
    headsUpBlinds: config.HEADS_UP_BLINDS,
    returnPost: config.RETURN_POST === 'on',
    freeFold: config.FREE_FOLD,
    boardEvents: config.BOARD_EVENTS,
    actionProtocol: config.ACTION_PROTOCOL,
    stateHash: config.STATE_HASH === 'on',
    actionTimeoutMs: config.ACTION_TIMEOUT_MS,
    timeBankMs: config.TIME_BANK === 'on' ? config.TIME_BANK_MS : null,
    betweenHandsMs: config.BETWEEN_HANDS_MS,
    disconnectHoldMs: config.DISCONNECT_HOLD_MS,
    missedHandsLimit: config.MISSED_HANDS,
    replayHands: config.REPLAY_HANDS,
    replayBytes: config.REPLAY_BYTES,
    resyncBytes: RESYNC_BYTES,
    maxStack: config.MAX_TABLE_STACK ?? null,
    fairDeals: config.FAIR_DEALS === 'on',
    duplicate: null,
    spectators: isShownLive(houseAudience(config), false),
  };
}
