import { unitsOf } from '../amount.js';
import { HandFileError } from '../file.js';
import type { AmountUnit } from '../hand.js';
import { utcOfEastern } from './time.js';

/** The contents of a hand's first line. */
export interface HandHead {
  number: string;
  unit: AmountUnit;
  smallBlind: number;
  bigBlind: number;
  /** RFC 3339; null where it is not certain. */
  startedAt: string | null;
}

const FIRST = /^PokerStars (?:[A-Z]\w*\.? )*(?:Hand|Game) #(\d+): +(.*) - (\d{4}\/.*)$/;
const TOURNAMENT = /^Tournament #\d+, +(?:Freeroll|\S+(?: [A-Z]{3})?) +/;
const CLUB = /^\{.*?\} +/;
const LEVEL = / - (?:Match Round \w+, )?Level \w+$/;
const STAKES = /^(.*\S) *\(([^()]*)\)$/;
const BLINDS = /^([$€£¥]?)([\d.,]+)\/([$€£¥]?)([\d.,]+)(?: [A-Z]{3})?(?: - Ante [$€£¥]?[\d.,]+)?$/;

/** @throws {HandFileError} for a game that is not No-Limit Hold'em, or for amounts that are not whole cents */
export function readHandHead(text: string, line: number): HandHead {
  const fail = (message: string): never => {
    throw new HandFileError(message, line);
  };
  const [, number = '', middle = '', time = ''] = FIRST.exec(text) ?? fail('The first line of the hand is not whole.');
  const [, game = '', stakes = ''] = STAKES.exec(middle) ?? fail('The first line of the hand has no stakes.');
  const name = game.replace(CLUB, '').replace(TOURNAMENT, '').replace(LEVEL, '').trim();
  if (name !== "Hold'em No Limit") fail(`Only "Hold'em No Limit" is read, and this is "${name}".`);
  if (/\bcap\b/i.test(stakes)) fail('Tables with a cap on the bets are not read.');
  const [, symbol = '', small = '', other = '', big = ''] = BLINDS.exec(stakes) ?? fail(`The stakes (${stakes}) are not understood.`); // prettier-ignore
  const unit: AmountUnit = { symbol, decimals: symbol === '' ? 0 : 2 };
  const [smallBlind, bigBlind] = [small, big].map((amount) => unitsOf(amount, unit.decimals));
  if (
    smallBlind === null ||
    bigBlind === null ||
    smallBlind === undefined ||
    bigBlind === undefined ||
    other !== symbol
  ) {
    return fail(`The stakes (${stakes}) are no whole ${symbol === '' ? 'chips' : 'cents'}.`);
  }
  if (smallBlind > bigBlind || bigBlind === 0) fail(`The stakes (${stakes}) are not a small and a big blind.`);
  return { number, unit, smallBlind, bigBlind, startedAt: startOf(time) };
}

const CLOCK = /(\d{4})\/(\d\d)\/(\d\d) (\d{1,2}):(\d\d):(\d\d) (UTC|ET)\b/g;

function startOf(text: string): string | null {
  const clocks = [...text.matchAll(CLOCK)].map(([, year, month, day, hour, minute, second, zone]) => ({
    zone,
    ms: Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)),
  }));
  const utc = clocks.find(({ zone }) => zone === 'UTC');
  if (utc !== undefined) return new Date(utc.ms).toISOString();
  const [eastern] = clocks;
  const ms = eastern === undefined ? null : utcOfEastern(eastern.ms);
  return ms === null ? null : new Date(ms).toISOString();
}
