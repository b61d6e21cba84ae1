import { readFileSync } from 'node:fs';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { ActionName, BettingStreet, Posted } from '../protocol/common.js';

/** The hands of a bot as its platform exports them (GET /api/me/hand-history/export?format=json). */

const Chips = Type.Integer({ minimum: 0 });
const Cards = Type.Array(Type.String({ pattern: '^[2-9TJQKA][cdhs]$' }), { maxItems: 5 });
const Seat = Type.Integer({ minimum: 0, maximum: 5 });

/** The fields of an exported hand that a replay needs. Further fields are ignored. */
const RecordedHandSchema = Type.Object({
  hand_id: Type.String({ format: 'uuid' }),
  table_id: Type.String({ minLength: 1 }),
  hand_number: Type.Integer({ minimum: 1 }),
  seat: Seat,
  button: Seat,
  small_blind: Chips,
  big_blind: Chips,
  hole_cards: Cards,
  board: Cards,
  shown_cards: Type.Record(Type.String(), Cards),
  posts: Type.Array(Posted),
  actions: Type.Array(
    Type.Object({
      seat: Seat,
      action: ActionName,
      amount: Type.Union([Chips, Type.Null()]),
      street: BettingStreet,
      timeout: Type.Optional(Type.Boolean()),
    }),
  ),
  players: Type.Array(
    Type.Object({ seat: Seat, name: Type.String({ minLength: 1 }), stack_start: Chips, stack_end: Chips }),
    {
      minItems: 2,
    },
  ),
});
export type RecordedHand = Static<typeof RecordedHandSchema>;

/** A rejected action of the bot, as GET /api/me/mishaps tells it. */
export interface RecordedRejection {
  handId: string;
  /** The message that was rejected. */
  sent: { action: string; amount?: number | null };
}

const isHand = Compile(RecordedHandSchema);

/** The hands of a file could not be had: the message is one line for the user. */
export class NoHands extends Error {
  override readonly name = 'NoHands';
}

/** Hands of a JSON file ({"hands": […]} or a list) or of lines of JSON, the oldest first. */
export function handsOfText(text: string): RecordedHand[] {
  const values = valuesOf(text.trim());
  const hands = values.map((value, n) => {
    if (isHand.Check(value)) return value;
    const [error] = isHand.Errors(value);
    throw new NoHands(`hand ${n + 1} is no exported hand: ${error?.instancePath ?? ''} ${error?.message ?? ''}`);
  });
  return hands.sort((a, b) => (a.hand_id < b.hand_id ? -1 : 1));
}

function valuesOf(text: string): unknown[] {
  const whole = parsed(text);
  if (Array.isArray(whole)) return whole;
  if (typeof whole === 'object' && whole !== null && 'hands' in whole && Array.isArray(whole.hands)) return whole.hands;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, n) => {
    const value = parsed(line);
    if (value === undefined) throw new NoHands(`line ${n + 1} is no JSON`);
    return value;
  });
}

/** Undefined where the text is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function handsOfFile(path: string): RecordedHand[] {
  try {
    return handsOfText(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new NoHands(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** The last hands of an agent, and the rejections among its latest mishaps. */
export async function handsOfPlatform(
  url: string,
  key: string,
  count: number,
): Promise<{ hands: RecordedHand[]; rejections: RecordedRejection[] }> {
  const read = async (path: string): Promise<string> => {
    const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, { headers: { authorization: `Bearer ${key}` } });
    const text = await response.text();
    if (response.ok) return text;
    throw new NoHands(`${path.replace(/\?.*/, '')} answers ${response.status}: ${text.slice(0, 200)}`);
  };
  const hands = handsOfText(await read(`/api/me/hand-history/export?format=json&limit=${count}`));
  return { hands, rejections: rejectionsOf(await read('/api/me/mishaps')) };
}

/** The answer of GET /api/me/mishaps: its rejected actions, the oldest first. */
export function rejectionsOf(text: string): RecordedRejection[] {
  const { mishaps } = JSON.parse(text) as { mishaps: { kind: string; hand_id: string | null; sent: string | null }[] };
  return mishaps
    .flatMap(({ kind, hand_id: handId, sent }) => {
      if (kind !== 'rejected' || handId === null || sent === null) return [];
      const message = parsed(sent) as { action?: unknown; amount?: number | null } | undefined;
      const action = message?.action;
      return typeof action === 'string' ? [{ handId, sent: { action, amount: message?.amount ?? null } }] : [];
    })
    .reverse();
}
