import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { CompetitionHand, CompetitionHandDetail } from '../../protocol/rest/competition-hands.js';
import { ExportedHand } from '../../protocol/rest/history.js';
import { PublicHand } from '../../protocol/rest/public.js';
import { HandFileError, type FilePart } from '../file.js';
import type { ReplayHand } from '../hand.js';
import { foreignRoom } from '../rooms.js';
import { reconcile } from '../reconcile.js';
import { recordOfRow } from './csv.js';
import { rawOfCompetition, rawOfExport } from './exported.js';
import { rawOfPublic } from './public-hand.js';

/** Reads a hand of our own JSON. @throws {HandFileError} */
export function readJson(text: string, line: number): ReplayHand {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new HandFileError('The JSON of the hand is not whole.', line);
  }
  const room = foreignRoom(text);
  if (room !== null) throw new HandFileError(`The hand is of ${room}, which is not read here.`, line);
  return readRecord(value, line);
}

/** Reads a hand of our own CSV. @throws {HandFileError} */
export const readCsv = (text: string, part: FilePart): ReplayHand => readRecord(recordOfRow(text, part), part.line);

/** The record of a hand by its fields. @throws {HandFileError} where it is not as our schemas say */
function readRecord(value: unknown, line: number): ReplayHand {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HandFileError('This is no record of a hand.', line);
  }
  if ('events' in value) return reconcile(rawOfPublic(checked(PublicHand, value, line), line));
  if (!('actions' in value)) throw new HandFileError('This is no hand of ours: it has no actions and no events.', line);
  if (!('players' in value)) {
    throw new HandFileError('The record does not name the players. Export the hands to replay them.', line);
  }
  if ('seat' in value) return reconcile(rawOfExport(checked(ExportedHand, value, line), line));
  const schema = 'pots' in value ? CompetitionHandDetail : CompetitionHand;
  return reconcile(rawOfCompetition(checked(schema, value, line), line));
}

function checked<S extends TSchema>(schema: S, value: unknown, line: number): Static<S> {
  if (Value.Check(schema, value)) return value as Static<S>;
  const [first] = Value.Errors(schema, value);
  const field = first?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  const where = field === '' ? 'The record' : `The field ${field}`;
  // A field that the schema does not have is checked against the schema `false`.
  const what = first?.keyword === 'boolean' ? 'is not known' : (first?.message ?? 'is not of our format');
  throw new HandFileError(`${where} ${what}.`, line);
}
