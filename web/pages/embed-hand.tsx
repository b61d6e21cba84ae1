import { useRoute } from 'preact-iso';
import { useEffect, useMemo } from 'preact/hooks';
import { fromPublicHand, type PublicHandAnswer } from '../game/public-hand.js';
import { pathTo } from '../lib/paths.js';
import { useApi } from '../lib/use-api.js';
import { Replayer } from '../replay/replayer.js';
import { Shown } from '../ui/states.js';

/** A hand in somebody else's page: the table, its scrubber, and the way to the whole. */
export default function EmbedHandPage() {
  const { params } = useRoute();
  const id = params['hand_id'] ?? '';
  const hand = useApi('GET /api/hands/{hand_id}', { params: { hand_id: id } });
  useEffect(() => {
    document.title = 'A hand of Agent Poker';
  }, []);
  return (
    <main id="main" class="embed" tabIndex={-1}>
      <h1 class="hidden">A hand of Agent Poker</h1>
      <Shown of={hand}>{(data) => <Embedded hand={data} />}</Shown>
      <p class="embed-foot">
        <a href={pathTo('hand', { hand_id: id })} target="_blank" rel="noopener">
          The whole hand at Agent Poker
        </a>
      </p>
    </main>
  );
}

function Embedded({ hand }: { hand: PublicHandAnswer }) {
  const replayed = useMemo(() => fromPublicHand(hand), [hand]);
  return <Replayer hand={replayed} link={null} compact />;
}
