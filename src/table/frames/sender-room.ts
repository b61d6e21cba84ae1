import type { HandInPlay } from '../hand/hand-in-play.js';
import type { Numbering } from '../numbering.js';
import type { Outbox } from '../outbox.js';
import type { ReplayWindow } from '../replay/window.js';
import type { Seats } from '../seats/seats.js';
import type { Envelope } from './envelope.js';

/** The shared part of the senders of a table's frames. */
export interface SenderRoom {
  out: Outbox;
  seats: Seats;
  play: HandInPlay;
  numbers: Numbering;
  window: ReplayWindow;
  envelope: Envelope;
}
