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
      `The final leaderboard ranks everybody with at least ${MINIMUM_HANDS} hands.\n`,
  };
}

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
}

export function finalResult(number: number, result: FinalResult): EmailText {
  const { botName, rank, ranked, score, rebuys, handsPlayed, handsWon, badge, prizeCents } = result;
  const place =
    rank === null
      ? `Your bot is not ranked: it played ${counted(handsPlayed, 'hand')}, and ${MINIMUM_HANDS} are needed.`
      : `Your bot finished on rank ${rank} of ${ranked}.`;
  const facts = [
    `Score: ${chips(score)}`,
    `Hands: ${chips(handsPlayed)} played, ${chips(handsWon)} won`,
    `Rebuys: ${rebuys}`,
    ...(badge === null ? [] : [`Badge: ${badge}`]),
    ...(prizeCents === 0 ? [] : [`Prize: ${dollars(prizeCents)}, credited to your balance`]),
  ];
  return {
    subject: rank === null ? `Season ${number} is over` : `Season ${number} is over: rank ${rank} of ${ranked}`,
    text:
      `Hello ${botName},\n\nseason ${number} is over. ${place}\n\n${facts.join('\n')}\n\n` +
      'The next season has begun: join the lobby to play in it.\n',
  };
}
