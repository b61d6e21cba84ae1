import type { Hand } from '../../holdem/hand.js';
import { postsOf, type PostedChips } from '../../holdem/record.js';
import { Act, type Street } from '../../holdem/types.js';
import { ActionReason, type ActionEvent, type BoardEvent, type DealtPlayer, type ResultEvent } from '../events.js';
import { dealOf } from './stored-deal.js';
import { outcomeKind } from './hand-record.js';
import type { StoredHand } from './record-codec.js';
import { replayStored, setupOf } from './stored-hand.js';

/** The events of a stored hand between hand_start and its end, as the table sent them. */
export interface StoredEvents {
  blinds: PostedChips[];
  events: (ActionEvent | BoardEvent | ResultEvent)[];
  /** ms from the start of the hand, for each of the events. */
  at: number[];
}

/**
 * Plays the hand again, in `engine`. `names` by agent id. The record does not store which actions were caused by a
 * leave.
 */
export function eventsOf(stored: StoredHand, names: ReadonlyMap<string, string>, engine: Hand): StoredEvents {
  const players = stored.players.map(({ seat, agentId }): DealtPlayer => {
    return { seat, agentId, nameJson: JSON.stringify(names.get(agentId) ?? `seat_${seat}`) };
  });
  engine.start(setupOf(stored));
  const sent: StoredEvents = { blinds: postsOf(engine.log), events: [], at: [] };
  const tell = (at: number, event: ActionEvent | BoardEvent | ResultEvent) => {
    sent.events.push(event);
    sent.at.push(at);
  };
  let opened = 0;
  const tellBoard = (at: number) => {
    while (opened < engine.boardCount) {
      const upTo = Math.max(3, opened + 1);
      tell(at, {
        kind: 'community_cards',
        street: (upTo - 2) as Street,
        cards: Array.from(engine.boardCards.subarray(opened, upTo)),
      });
      opened = upTo;
    }
  };
  tellBoard(0);
  for (const { seat, act, amount, street, at, timeout, mix } of stored.actions) {
    const [potBefore, stackBefore, toCall] = [engine.pot, engine.stack[seat]!, engine.currentBet - engine.bet[seat]!];
    engine.act(act as Act, act === Act.raise ? amount! : 0);
    tell(at, {
      kind: 'player_action',
      seat,
      nameJson: players.find((player) => player.seat === seat)!.nameJson,
      act: act as Act,
      amount,
      street: street as Street,
      potBefore,
      toCall,
      stackBefore,
      reason: timeout ? ActionReason.timeout : ActionReason.player,
      added: stackBefore - engine.stack[seat]!,
      turnToken: '',
      clientId: null,
      freeFold: false,
      requested: null,
      mix: mix ?? null,
      timing: null,
    });
    tellBoard(at);
  }
  tell(Math.round(stored.endedAt - stored.startedAt), resultOf(stored, players, engine));
  return sent;
}

function resultOf(stored: StoredHand, players: DealtPlayer[], engine: Hand): ResultEvent {
  const { outcome } = replayStored(stored, engine);
  return {
    kind: 'hand_result',
    players,
    payouts: outcome.payouts,
    contributed: outcome.contributed,
    finalStacks: outcome.finalStacks,
    outcome: outcomeKind(outcome),
    showdown: outcome.showdown,
    shown: outcome.shown,
    hole: engine.hole,
    board: engine.boardCards,
    boardCount: engine.boardCount,
    actions: stored.actions,
    button: stored.button,
    deal: dealOf(stored),
  };
}
