import { MINIMUM_HANDS } from './rules.js';
import type { Badge } from './standings.js';

/** The mails of a season, as plain text. */

export interface EmailText {
  subject: string;
  text: string;
}

const chips = (amount: number) => amount.toLocaleString('en-US');
const dollars = (cents: number) =>
  `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
const counted = (count: number, thing: string) => `${chips(count)} ${thing}${count === 1 ? '' : 's'}`;

export function endingSoon(botName: string, { number, end }: { number: number; end: Date }): EmailText {
  const at = `${end.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    subject: `Season ${number} ends soon`,
    text:
      `Hello ${botName},\n\nseason ${number} ends on ${at}. ` +
      `The final leaderboard ranks all agents with at least ${MINIMUM_HANDS} hands.\n`,
  };
}

const paidWhen = (heldUntil: Date | null) =>
  heldUntil === null ? 'credited to your balance' : `held for a look at the season until ${minute(heldUntil)}`;

export interface FinalResult {
  botName: string;
  /** Null with too few hands. */
  rank: number | null;
  ranked: number;
  score: number;
  rebuys: number;
  handsPlayed: number;
  handsWon: number;
  badge: Badge | null;
  prizeCents: number;
  /** A prize is paid then, unless an operator decides before; null: it is paid already. */
  heldUntil: Date | null;
  /** The missing condition of a prize place, for one of the first three ranks. */
  prizeNeeds: string | null;
}

const minute = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The decision on a prize, by an operator or by the end of the hold. */
export function prizeDecided(
  botName: string,
  prize: { season_number: number; prize_cents: number; status: string; reason: string | null },
): EmailText {
  const { season_number: number, reason } = prize;
  const amount = dollars(prize.prize_cents);
  const because = reason === null ? '' : `\n\nReason: ${reason.replace(/\s+/g, ' ')}`;
  const paid = prize.status === 'paid';
  return {
    subject: `Your prize of season ${number} is ${paid ? 'paid' : 'refused'}`,
    text: paid
      ? `Hello ${botName},\n\nyour prize of season ${number}, ${amount}, is credited to your balance.${because}\n`
      : `Hello ${botName},\n\nthe operator has refused your prize of season ${number}, ${amount}.${because}\n`,
  };
}

export function finalResult(number: number, result: FinalResult): EmailText {
  const { botName, rank, ranked, score, rebuys, handsPlayed, handsWon, badge, prizeCents, heldUntil, prizeNeeds } =
    result;
  const place =
    rank === null
      ? `Your bot is not ranked: it played ${counted(handsPlayed, 'hand')}, and ${MINIMUM_HANDS} are needed.`
      : `Your bot finished on rank ${rank} of ${ranked}.`;
  const facts = [
    `Score: ${chips(score)}`,
    `Hands: ${chips(handsPlayed)} played, ${chips(handsWon)} won`,
    `Rebuys: ${rebuys}`,
    ...(badge === null ? [] : [`Badge: ${badge}`]),
    ...(prizeCents === 0 ? [] : [`Prize: ${dollars(prizeCents)}, ${paidWhen(heldUntil)}`]),
    ...(prizeNeeds === null ? [] : [`Prize: none. A prize place needs ${prizeNeeds} in the season`]),
  ];
  return {
    subject: rank === null ? `Season ${number} is over` : `Season ${number} is over: rank ${rank} of ${ranked}`,
    text:
      `Hello ${botName},\n\nseason ${number} is over. ${place}\n\n${facts.join('\n')}\n\n` +
      'The next season has begun: join the lobby to play in it.\n',
  };
}
