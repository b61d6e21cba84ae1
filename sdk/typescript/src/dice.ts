import { sha256 as sha256Bytes } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { ActionMix, OwnDice, OwnMix, SeatNonce } from './generated/messages.js';

/** Were mixed actions drawn by the dice that were committed to (protocol.md, "Mixed actions")? */

/** In hex. */
export const sha256 = (text: string): string => bytesToHex(sha256Bytes(new TextEncoder().encode(text)));

/** A draw as its acknowledgement told it, with the parts that were sent, where they are known. */
export interface KnownDraw {
  readonly number: number;
  readonly u: number;
  readonly part: number;
  readonly parts?: ActionMix['mix'] | null;
}

interface DealWithDice {
  readonly table_id: string;
  readonly hand_number: number;
  readonly seat?: number | undefined;
  readonly deck_commitment: string;
  readonly deal_nonces: readonly SeatNonce[];
  readonly deal_proof: { readonly rest: string };
  readonly own_dice?: OwnDice | undefined;
  readonly actions?: readonly { readonly seat: number; readonly action: string; readonly amount: number | null }[];
  readonly draws?: readonly KnownDraw[] | undefined;
}

/** Describes the faults in the draws of a deal. Empty without a fault. */
export function diceFaults(deal: DealWithDice): string[] {
  const { seat, own_dice: dice, draws = [], actions } = deal;
  if (dice === undefined) return draws.length > 0 ? ['own dice left out'] : [];
  const faults: string[] = [];
  const place = `${deal.table_id}|${deal.hand_number}|`;
  const { seed, undealt, hashes, mixes } = dice;
  const rest = sha256(`agent-poker/rest|${place}${undealt}${hashes.join('')}`);
  if (rest !== deal.deal_proof.rest) faults.push('not the committed dice');
  if (sha256(`agent-poker/dice|${place}${seat}|${seed}`) !== hashes[seat ?? -1]) faults.push('not the own dice');
  for (const mix of mixes) {
    if (mix.u !== drawOf(deal, seed, mix.number)) faults.push(`action ${mix.number}: not the draw of the dice`);
    if (mix.part !== partAt(mix.parts, mix.u)) faults.push(`action ${mix.number}: not the part that was drawn`);
    const played = actions?.[mix.number];
    if (actions !== undefined && (played?.seat !== seat || !isPlayed(mix, played))) {
      faults.push(`action ${mix.number}: not the action that was played`);
    }
  }
  for (const { number, u, part, parts } of draws) {
    const mix = mixes.find((each) => each.number === number);
    if (mix?.u !== u || mix.part !== part) faults.push(`action ${number}: another draw than was acknowledged`);
    else if (parts && !isSame(mix.parts, parts)) faults.push(`action ${number}: another mix than was sent`);
  }
  return faults;
}

/** The first 53 bits of the hash, from 0 up to 1. */
function drawOf({ deck_commitment: root, deal_nonces: nonces }: DealWithDice, seed: string, number: number): number {
  const parts = nonces.map(({ seat, nonce }) => `|${seat}:${nonce}`).join('');
  const digits = sha256(`agent-poker/draw|${root}|${seed}|${number}${parts}`);
  return (parseInt(digits.slice(0, 8), 16) * 2 ** 21 + (parseInt(digits.slice(8, 14), 16) >>> 3)) / 2 ** 53;
}

/** The first part with a sum of the probabilities up to it above the draw times the whole sum. */
function partAt(parts: OwnMix['parts'], u: number): number {
  const bound = u * parts.reduce((sum, { p }) => sum + p, 0);
  let sum = 0;
  const at = parts.findIndex(({ p }) => (sum += p) > bound);
  return at < 0 ? parts.length - 1 : at;
}

/** Whether the drawn part was played. A fold is taken as a check where checking is free. */
function isPlayed({ parts, part }: OwnMix, played: { action: string; amount: number | null } | undefined): boolean {
  const drawn = parts[part];
  if (drawn === undefined || played === undefined) return false;
  if (drawn.action === 'fold' && played.action === 'check') return true;
  return drawn.action === played.action && (drawn.action !== 'raise' || drawn.amount === played.amount);
}

const isSame = (shown: OwnMix['parts'], sent: ActionMix['mix']): boolean =>
  shown.length === sent.length &&
  shown.every(({ action, amount, p }, i) => {
    const part = sent[i]!;
    return action === part.action && p === part.p && (action !== 'raise' || amount === part.amount);
  });
