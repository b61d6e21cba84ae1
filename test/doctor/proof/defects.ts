/** One thing each that bots get wrong: what the faulty bot does for it. Without any it is sound. */
export const DEFECTS = {
  // First contact.
  'key-in-url': 'shows its key in the URL instead of the header',
  'never-joins': 'connects and waits for a seat that it never asked for',
  'registers-without-terms': 'leaves terms_accepted out when it registers',
  'hammers-register': 'asks again at once when its registration is refused',
  'hammers-rest': 'asks GET /api/me again at once when it is refused',
  'needs-rest': 'ends when GET /api/me is refused',
  'dies-when-refused': 'ends when a connection cannot be opened',
  'connects-without-pause': 'connects again at once, each time',
  'never-slows-down': 'connects again every 200 ms, for as long as it takes',
  'impatient-handshake': 'opens another connection when the first takes a second',
  'joins-every-second': 'sends join_lobby each second until it sits',
  // Closes and cuts.
  'returns-after-4001': 'connects again though its key was refused',
  'returns-after-4002': 'connects again after a takeover',
  'returns-after-4009': 'connects again though it sits in another scope',
  'hammers-after-4003': 'connects again with the token that is over',
  'never-returns': 'ends when it loses its connection',
  'returns-once': 'connects again once in its life',
  'returns-after-cuts-only': 'ends at every close frame',
  'fears-unknown-codes': 'ends at close codes that the page does not name',
  'silent-after-return': 'says nothing on its second connection',
  'remembers-answers': 'does not answer a turn again whose answer was lost',
  'repeats-with-new-id': 'sends its last action again on the next connection, with a new id',
  'believes-in-its-seat': 'does not look at the role in resync_response',
  'deaf-to-table-not-found': 'does nothing at table_not_found',
  'dies-when-seated': 'ends at already_seated',
  'joins-though-seated': 'sends join_lobby again and again at already_seated',
  'no-resync': 'never asks for a resync',
  // The network.
  'impatient-for-acks': 'sends an action again with a new id when no ack came for 250 ms',
  'no-pongs': 'does not answer pings',
  'small-frames': 'ends the connection over frames of more than 256 KiB',
  'answers-all-turns': 'answers each your_turn with a new id, the same turn too',
  'blind-retry': 'sends a rejected action again, whatever the code',
  'gives-rejected-turns-up': 'lets the clock run out after invalid_action',
  'slow-thinker': 'takes two seconds for a decision',
  'waits-for-acks': 'answers no turn before the last action was acknowledged',
  // Novelties.
  'fears-unknown-types': 'ends at a message type it does not know',
  'fears-errors': 'ends at an error code it does not know',
  'strict-turns': 'ends at unknown fields in your_turn',
  'strict-seats': 'ends at unknown fields and statuses of seats',
  'strict-words': 'ends at reasons it does not know',
  'resyncs-over-gaps': 'asks for a resync whenever table_seq jumps',
  'distrusts-jumps': 'ignores frames whose table_seq is far ahead',
  'ascii-only': 'ends at a name that is not ASCII',
  'adds-boards-up': 'ends when it has counted more than five cards',
  'needs-hashes': 'ends where state_hash is null',
  'needs-commitments': 'ends where hand_start has no deck_commitment',
  // Limits.
  'deaf-to-rate-limits': 'does not send again what was rate_limited',
  'hammers-limits': 'sends at once again what was rate_limited',
  'dies-when-limited': 'ends at rate_limited',
  'dies-when-warned': 'ends at flood_warning',
  'deaf-to-lobby': 'does not join again after lobby_full and its like',
  'hammers-lobby': 'joins again at once after lobby_full and its like',
  'dies-in-lobby': 'ends at already_in_lobby',
  // Actions.
  'one-id': 'uses one client_action_id for ever',
  'counted-ids': 'numbers its actions from 1 in each run',
  'no-ids': 'sends no client_action_id',
  'acts-out-of-turn': 'acts whenever table_state says that somebody is to act',
  'forgets-in-time': 'ends after ten hands',
  'deaf-to-sigterm': 'does not end when it is asked to',
  // Betting.
  'folds-for-free': 'folds where checking is free',
  'checks-always': 'checks whatever it faces',
  'raises-always': 'raises to min_raise, offered or not',
  'raises-one-more': 'raises to one more than the minimum',
  'raises-by-addition': 'names what it adds instead of the total',
  'raises-to-forty': 'raises to two big blinds of 20, always',
  'reckons-raises': 'raises to the price and a big blind more',
  'raises-fractions': 'raises to three quarters of the pot, not rounded',
  'raises-thrice-the-pot': 'raises to three times the pot, whatever it has',
  'fears-all-ins': 'raises to get a fold where a call takes its stack',
  'three-players-only': 'ends where there are not three players',
  'one-winner-only': 'ends where a hand has several winners',
  'needs-showdowns': 'ends where no cards are shown',
  // Chips.
  'no-rebuys': 'ends when it is out of chips',
  'rebuys-always': 'asks for a rebuy after every bust and waits for its confirmation',
  'hammers-rebuys': 'asks for a rebuy again at once when it is refused',
  'deaf-to-confirmations': 'does not join after rebuy_confirmed',
  'rebuys-at-the-table': 'asks for a rebuy after each hand',
  'full-stack-or-nothing': 'ends where it sits down with less than 2,000',
  // Tables.
  'stays-when-removed': 'does not join after its own player_left',
  'stays-when-closed': 'does not join after table_closed',
  'stays-when-seasons-end': 'does not join when a season ended',
  'takes-others-for-itself': 'takes every player_left for its own',
  'fears-timeouts': 'ends when somebody’s clock ran out',
  'asks-while-waiting': 'asks for a resync every 200 ms when it is not its turn',
  'reads-what-is-missing': 'reads the price of table_state where there is none',
  'leaves-when-draining': 'leaves when waiting_reason is table_closing',
  // Lean frames.
  'lean-counts-actions': 'reads lean frames, and ends where a turn does not go on from the actions it has counted',
  'lean-reads-cards-once': 'reads lean frames, and ends at a hand that it has read before',
  'lean-gives-rejected-turns-up': 'reads lean frames, and lets the clock run out after invalid_action',
  // Without a library.
  'by-hand-packets-are-frames': 'has no WebSocket library, and takes what a packet holds for whole frames',
  'by-hand-fragments-are-messages': 'has no WebSocket library, and takes a fragment for a whole message',
} as const;

/** Those of bots that read lean frames. */
export const isLeanDefect = (defect: Defect): boolean => defect.startsWith('lean-');

/**
 * How a bot reads: as most do, lean frames, or without a WebSocket library. One that is early says what it has to say as
 * soon as the socket is open, before it is welcomed.
 */
export type Kind = 'ordinary' | 'lean' | 'by hand' | 'early';

/** How the bot with this defect reads. */
export const kindOf = (defect: Defect | null): Kind => {
  if (defect === null) return 'ordinary';
  if (isLeanDefect(defect)) return 'lean';
  return defect.startsWith('by-hand-') ? 'by hand' : 'ordinary';
};

export type Defect = keyof typeof DEFECTS;
