import { setTimeout as sleep } from 'node:timers/promises';
import type { RandomSource } from '../../src/cards/random.js';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import type { Account, TestPlatform } from './platform.js';
import { PATIENCE_MS } from './limits.js';
import { Player, type Choice, type Turn } from './player.js';

export type HandResult = ServerMessageOf['hand_result'];

/** A bot that plays at random for as long as it is connected: joins, sits, acts, busts, rebuys and joins again. */
export class Bot {
  /** Results it was told, by hand. */
  readonly results = new Map<string, HandResult>();
  /** Hands that the bot saw begin and that have no result yet. */
  readonly open = new Set<string>();
  rejections = 0;
  /** The first table_state of this connection. After a return it has the state of the seat. */
  returned: ServerMessageOf['table_state'] | null = null;
  /** The upper bound of its thinking time in ms; 0: it acts at once. */
  thinksMs = 0;
  /** The longest time for the opening of a socket. */
  handshakeMs = PATIENCE_MS;
  onFrame: ((frame: ServerMessage, text: string) => void) | null = null;
  onSend: ((text: string) => void) | null = null;
  onResult: ((result: HandResult) => void) | null = null;
  #player: Player | null = null;
  /** The last answered turn, and the socket of the answer. */
  #answered: { player: Player; token: string } | null = null;

  constructor(
    private readonly platform: TestPlatform,
    readonly account: Account,
    private readonly random: RandomSource,
    /** Null: it plays the season. */
    private readonly competitionId: string | null = null,
  ) {}

  get player(): Player {
    if (this.#player === null) throw new Error(`${this.account.name} was never connected`);
    return this.#player;
  }

  /** Opens a socket. The bot plays from then on. */
  async connect(): Promise<void> {
    this.returned = null;
    await Player.open(this.platform, this.account, {
      competitionId: this.competitionId,
      handshakeMs: this.handshakeMs,
      prepare: (player) => {
        player.keep = 40;
        player.auto = (turn) => this.#decide(player, turn);
        player.onFrame = (frame, text) => this.#read(frame, text);
        player.onSend = (text) => this.onSend?.(text);
        this.#player = player;
      },
    });
  }

  #decide(player: Player, turn: Turn): Choice | null {
    const { turn_token: token } = turn;
    // The turn came again while its answer is on the way. A second answer would be refused.
    if (this.#answered?.player === player && this.#answered.token === token) return null;
    const choice = this.choose(turn);
    if (this.thinksMs > 0) {
      void sleep(this.below(this.thinksMs)).then(() => {
        if (player.turn !== turn || player.isClosed) return;
        this.#answered = { player, token };
        player.act(choice.action, choice.amount ?? null);
      });
      return null;
    }
    this.#answered = { player, token };
    return choice;
  }

  #read(frame: ServerMessage, text: string): void {
    switch (frame.type) {
      case 'connected':
      case 'busted':
      case 'table_closed':
      case 'rebuy_confirmed':
        this.player.send({ type: 'join_lobby' });
        break;
      case 'error':
        if (frame.code === 'insufficient_season_chips') this.player.send({ type: 'rebuy', amount: 0 });
        break;
      case 'player_left':
        if (frame.name === this.account.name) this.player.send({ type: 'join_lobby' });
        break;
      case 'table_state':
        this.returned ??= frame;
        break;
      case 'hand_start':
        this.open.add(frame.hand_id);
        break;
      case 'hand_result':
        this.open.delete(frame.hand_id);
        this.results.set(frame.hand_id, frame);
        this.onResult?.(frame);
        break;
      case 'action_rejected':
        this.rejections++;
        break;
      default:
        break;
    }
    this.onFrame?.(frame, text);
  }

  /** From 0 to n − 1. */
  below(n: number): number {
    return this.random.next16() % n;
  }

  /** Mostly checks or calls, sometimes raises, now and then goes all-in. */
  choose({ valid_actions }: Turn): Choice {
    const offers = new Map(valid_actions.map((offer) => [offer.action, offer]));
    const dice = this.below(100);
    const raise = offers.get('raise');
    if (dice < 20 && raise !== undefined) {
      const [min, max] = [raise.min!, raise.max!];
      return { action: 'raise', amount: Math.min(max, min + this.below(Math.max(1, Math.floor((max - min) / 4)))) };
    }
    if (dice < 25 && offers.has('all_in')) return { action: 'all_in' };
    if (offers.has('check')) return { action: 'check' };
    if (dice < 50) return { action: 'fold' };
    return { action: offers.has('call') ? 'call' : 'all_in' };
  }
}
