/**
 * Decides who may see the play for a pool's chips. Only this type decides what is public. Live tables, hands and
 * profiles all ask here.
 */
export interface Audience {
  /** Anybody, those who take part or organize, or nobody but who plays. */
  spectators: 'public' | 'participants' | 'none';
  /** Others have yet to play the same cards (duplicate decks): until play is over nobody sees anything. */
  sealed: boolean;
  /** Spectators see the table so many hands late. */
  delayHands: number;
}

/** A competition's additions to the rule of the house. */
export interface CompetitionAudience {
  spectators: Audience['spectators'];
  duplicate: boolean;
  /** Nothing is played any more. */
  over: boolean;
}

/** The stricter of the rule of the house and that of the competition. */
export function audienceOf(house: Audience, competition: CompetitionAudience | null): Audience {
  if (competition === null) return house;
  const { spectators, duplicate, over } = competition;
  return {
    spectators: house.spectators === 'public' ? spectators : house.spectators,
    sealed: duplicate && !over,
    delayHands: house.delayHands,
  };
}

/** Whether somebody sees the pool's tables and hands, once they are old enough. */
export function isShown({ spectators, sealed }: Audience, takesPart: boolean): boolean {
  return !sealed && (spectators === 'public' || (spectators === 'participants' && takesPart));
}

/** Whether somebody sees them as they are played. */
export const isShownLive = (audience: Audience, takesPart: boolean): boolean =>
  audience.delayHands === 0 && isShown(audience, takesPart);
