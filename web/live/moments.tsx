import type { Answer } from '../lib/api.js';
import { percent } from '../lib/format.js';
import { useApi } from '../lib/use-api.js';
import { BotName } from '../ui/bot-name.js';
import { HandNameLink } from '../ui/links.js';
import { Section } from '../ui/page.js';
import { Amount, When } from '../ui/values.js';

type Day = Answer<'GET /api/public/moments'>;
type Moment = Day['big_pots'][number];

const KINDS = [
  ['big_pots', 'Big pots'],
  ['all_ins', 'All-ins'],
  ['upsets', 'Upsets'],
] as const;

const EVERY_MS = 30_000;

/** Hands of the last 24 hours that are worth a look; nothing before there are any. */
export function MomentsOfDay() {
  const { data } = useApi('GET /api/public/moments', {}, { every: EVERY_MS });
  if (data === null || KINDS.every(([kind]) => data[kind].length === 0)) return null;
  return (
    <Section title="Moments of the day" id="moments">
      <div class="moments">
        {KINDS.map(
          ([kind, name]) =>
            data[kind].length > 0 && (
              <section key={kind} aria-label={name}>
                <h3>{name}</h3>
                <ul class="moment-list">
                  {data[kind].map((moment) => (
                    <li key={moment.hand_id}>
                      <div>
                        <HandNameLink of={moment} step={moment.step} />
                        <strong class="figure">
                          <Amount value={moment.total_pot} bb={moment.big_blind} />
                        </strong>
                      </div>
                      <Winner of={moment} />
                    </li>
                  ))}
                </ul>
              </section>
            ),
        )}
      </div>
    </Section>
  );
}

/** The winner of the most, with its equity where the cards were shown. */
function Winner({ of: { players, started_at: at } }: { of: Moment }) {
  const [winner] = [...players].sort((a, b) => b.payout - a.payout);
  const { name, public_profile_slug: slug, equity } = winner!;
  return (
    <div>
      <BotName name={name} slug={slug} />
      <span class="soft">
        {equity !== null && <>won with {percent(equity, 0)} · </>}
        <When at={at} />
      </span>
    </div>
  );
}
