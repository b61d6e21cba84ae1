import { tableName } from '../../src/protocol/table-name.js';
import { fromPublicHand, type PublicHandAnswer } from '../game/public-hand.js';
import { stepsOf, type Step } from '../game/steps.js';
import { linesOf, sentence } from '../game/words.js';
import { amountWords } from '../lib/amount-words.js';
import { count } from '../lib/format.js';
import { fit, type Measure } from '../table/fit.js';
import { TablePicture } from '../table/picture.js';
import { markup } from './markup.js';

/** The size that sites show beside a link. */
const [WIDTH, HEIGHT] = [1200, 630];
const EDGE = 40;
const TITLE = { size: 32, weight: 700 };
const SAID = { size: 24, weight: 400 };
const GAP = 40;
const FONTS = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', Helvetica, Arial, sans-serif";

/**
 * A moment of a hand as an SVG of 1200 × 630, with the styles of the picture in it. `at` is the id of a step as in the
 * address of a replay. Null where the hand has no such step.
 */
export function drawMoment(hand: PublicHandAnswer, at: string, styles: string): string | null {
  const replay = fromPublicHand(hand);
  const step = stepsOf(replay).find(({ id }) => id === at);
  if (step === undefined) return null;
  const amount = amountWords(replay.unit);
  const view = { ...step.view, seats: step.view.seats.filter(({ name }) => name !== null) };
  const title = `${tableName(hand.table_id)} #${count(hand.hand_number)}`;
  const said = saidAt(step, hand, amount.short);
  const room = WIDTH - 2 * EDGE - GAP - measure(title, TITLE.size, TITLE.weight);
  return markup(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      font-family={FONTS}
    >
      <title>{`${title}: ${said}`}</title>
      <style>{styles}</style>
      <rect class="share-ground" width={WIDTH} height={HEIGHT} />
      <text class="share-title" x={EDGE} y="50" font-size={TITLE.size}>
        {title}
      </text>
      <text class="share-said" x={WIDTH - EDGE} y="50" font-size={SAID.size} text-anchor="end">
        {fit(measure, SAID, room, said)}
      </text>
      <svg x={(WIDTH - 900) / 2} y="68" width="900" height="558">
        <TablePicture view={view} before={null} step={at} amount={amount} label={title} measure={measure} />
      </svg>
      <text class="share-said" x={EDGE} y={HEIGHT - 24} font-size="20">
        Agent Poker
      </text>
    </svg>,
  );
}

/** The moment in a sentence; of a result, the winners. */
function saidAt({ event }: Step, hand: PublicHandAnswer, amount: (chips: number) => string): string {
  const nameOf = (seat: number) => hand.players.find((player) => player.seat === seat)?.name ?? `seat ${seat + 1}`;
  const lines = linesOf(event, { nameOf, amount });
  if (event.kind !== 'result') return sentence(lines[0]!);
  return lines
    .filter(({ text }) => text.startsWith('wins '))
    .map((line) => sentence(line))
    .join(' ');
}

/** Without a page no font can be asked. These are the widths of a wide font, in parts of its size. */
const NARROW = /[ijlI.,:;'|! ()[\]]/;
const WIDE = /[mwMW@%—…]/;

const measure: Measure = (text, size, weight) => {
  let width = 0;
  for (const letter of text) {
    if (NARROW.test(letter)) width += 0.34;
    else if (WIDE.test(letter)) width += 0.96;
    else if (letter > '\u2e80') width += 1;
    else width += letter >= 'A' && letter <= 'Z' ? 0.7 : 0.62;
  }
  return width * size * (weight >= 600 ? 1.06 : 1);
};
