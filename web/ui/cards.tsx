const SUITS: Readonly<Record<string, readonly [glyph: string, name: string]>> = {
  s: ['♠', 'spades'],
  h: ['♥', 'hearts'],
  d: ['♦', 'diamonds'],
  c: ['♣', 'clubs'],
};

/** Cards in a line of text, such as `Ah Kd`. */
export function Cards({ cards }: { cards: readonly string[] }) {
  return (
    <span class="cards">
      {cards.map((card) => {
        const [rank = '', suit = ''] = [card.slice(0, -1), card.slice(-1)];
        const [glyph, name] = SUITS[suit] ?? ['', ''];
        return (
          <span key={card} class={`card ${suit}`} role="img" aria-label={`${rank} of ${name}`}>
            {rank === 'T' ? '10' : rank}
            {glyph}
          </span>
        );
      })}
    </span>
  );
}
