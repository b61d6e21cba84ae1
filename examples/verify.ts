/**
 * Were hands dealt from the decks that were committed to (docs/protocol.md, "Fair deals")? Reads JSON: the answer of
 * GET /api/hands/{hand_id}/proof, or an array of a hand's frames from hand_start to hand_result. It is better to begin
 * at the hand_start of the hand before. Run: npm run build, node dist/examples/verify.js < hands.jsonl
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

type Json = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- JSON off the wire
const CARDS = Array.from('23456789TJQKA', (rank) => Array.from('cdhs', (suit) => rank + suit)).flat();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The card dealt for each card of the deck: Fisher-Yates by the 16-bit words of SHAKE-256, Lemire's choice below n. */
function permutation(commitment: string, nonces: Json[]): string[] {
  const [dealt, parts] = [[...CARDS], nonces.map(({ seat, nonce }) => `|${seat}:${nonce}`)];
  const seed = `agent-poker/nonces|${commitment}${parts.join('')}`;
  const words = createHash('shake256', { outputLength: 1024 }).update(seed).digest();
  for (let i = 0, at = 0, product = 0; nonces.length > 0 && i < 52; i++) {
    do product = words.readUInt16BE((at += 2) - 2) * (52 - i);
    while (product % 65536 < 65536 % (52 - i));
    const chosen = i + Math.floor(product / 65536);
    [dealt[i], dealt[chosen]] = [dealt[chosen]!, dealt[i]!];
  }
  return dealt;
}

/** Describes the faults in the draws of the own mixed actions. */
function dice(hand: Json): string[] {
  const { own_dice: own, seat, deal_proof: proof, deck_commitment: root, actions } = hand;
  if (!own) return (hand['draws'] ?? []).map(({ number }: Json) => `action ${number}: own dice left out`);
  const [faults, place]: [string[], string] = [[], `${hand['table_id']}|${hand['hand_number']}|`];
  const check = (holds: boolean, fault: string) => void (holds || faults.push(fault));
  const rest = sha256(`agent-poker/rest|${place}${own.undealt}${own.hashes.join('')}`);
  check(rest === proof.rest, 'not the committed dice');
  check(sha256(`agent-poker/dice|${place}${seat}|${own.seed}`) === own.hashes[seat], 'not the own dice');
  const nonces = hand['deal_nonces'].map(({ seat, nonce }: Json) => `|${seat}:${nonce}`).join('');
  for (const { number, u, part, parts } of own.mixes as Json[]) {
    const digits = sha256(`agent-poker/draw|${root}|${own.seed}|${number}${nonces}`).slice(0, 14);
    check(Number(BigInt(`0x${digits}`) >> 3n) / 2 ** 53 === u, `action ${number}: not the draw of the dice`);
    const bound = u * parts.reduce((sum: number, { p }: Json) => sum + p, 0);
    let sum = 0;
    const drawn = parts.findIndex(({ p }: Json) => (sum += p) > bound);
    check((drawn < 0 ? parts.length - 1 : drawn) === part, `action ${number}: not the part that was drawn`);
    const [said, played] = [parts[part], actions?.[number]];
    if (!played) continue;
    const asSaid = said.action === played.action && (said.action !== 'raise' || said.amount === played.amount);
    const isCheck = said.action === 'fold' && played.action === 'check';
    check(played.seat === seat && (asSaid || isCheck), `action ${number}: not the action that was played`);
  }
  return faults;
}

/** The frames of a hand as one object with the fields of a proof. */
function gather(frames: Json[]): Json {
  const starts = frames.filter(({ type }) => type === 'hand_start').slice(-2);
  const [hand, acks]: [Json, string[]] = [{ ...starts.at(-1) }, []];
  for (const { type, cards, counts, nonce, deck_commitment, ...frame } of frames) {
    if (type === 'deal_nonce_ack' && counts && deck_commitment === hand['deck_commitment']) acks.push(nonce);
    if (frame['hand_id'] !== hand['hand_id']) continue;
    if (type === 'community_cards') hand['board'] = cards.length > 3 ? cards : [...(hand['board'] ?? []), ...cards];
    if (type === 'action_ack' && frame['drawn']) hand['draws'] = [...(hand['draws'] ?? []), frame['drawn']];
    if (type === 'hole_cards') hand['hole_cards'] = cards;
    if (type === 'hand_result') Object.assign(hand, frame, { seats: Object.keys(frame['final_stacks']).map(Number) });
  }
  return { ...hand, acks, announced: starts.length > 1 ? starts[0]!['next_deal'] : null };
}

/** The faults of a hand. Empty for a correct hand. */
export function verify(input: Json | Json[]): string[] {
  const hand = Array.isArray(input) ? gather(input) : input;
  const { deck_commitment: root, deal_nonces: nonces, deal_proof: proof, seats, seat, announced } = hand;
  const faults: string[] = [];
  const check = (holds: boolean, fault: string) => void (holds || faults.push(fault));
  const place = `${hand['table_id']}|${hand['hand_number']}|`;
  check(sha256(`agent-poker/deck|${place}${proof.hashes.join('')}${proof.rest}`) === root, 'not the committed deck');
  const [dealt, open] = [permutation(root, nonces), new Map<number, string>()];
  const hands: Json[] = hand['opened_hands'] ?? [];
  const leaves = [...proof.opened, ...(hand['own_opened'] ?? []), ...hands.flatMap(({ opened }) => opened)];
  for (const { index, card, salt } of leaves) {
    check(
      sha256(`agent-poker/leaf|${place}${String(index).padStart(2, '0')}|${card}|${salt}`) === proof.hashes[index],
      `wrong leaf ${index}`,
    );
    open.set(index, dealt[CARDS.indexOf(card)]!);
  }
  check(new Set(open.values()).size === open.size, 'a card is twice in the deck');
  const left = (other: number) => (other - hand['dealer_seat'] + 63) % 64;
  const order = [...seats].sort((a: number, b: number) => left(a) - left(b));
  const seen = (what: string, places: number[], cards: string[] = []) =>
    check(!cards.some((card, i) => open.get(places[i]!) !== card), `${what}: not the cards of the deck`);
  const holes = (who: number) => [order.indexOf(who), order.indexOf(who) + order.length];
  for (const [who, cards] of Object.entries(hand['shown_cards'])) seen(`seat ${who}`, holes(+who), cards as string[]);
  for (const { seat: who, hole_cards: cards } of hands) seen(`opened seat ${who}`, holes(who), cards);
  seen('board', Array.from({ length: 5 }, (_, i) => 2 * order.length + i), hand['board']); // prettier-ignore
  seen('own cards', holes(seat), hand['hole_cards']);
  if (announced) check(announced.deck_commitment === root, 'another deck than was announced');
  const fixed = ({ seat, nonce }: Json) =>
    announced.anchors.some((each: Json) => each['seat'] === seat && each['anchor'] === sha256(nonce));
  for (const each of announced ? nonces : []) check(fixed(each), `nonce of seat ${each.seat} was not fixed`);
  for (const ack of hand['hole_cards'] ? (hand['acks'] ?? []) : [])
    check(nonces.some((each: Json) => each['seat'] === seat && each['nonce'] === ack), 'own nonce left out'); // prettier-ignore
  return [...faults, ...dice(hand)];
}

const isProgram = process.argv[1]?.endsWith('verify.js') ?? false;
const lines = isProgram ? readFileSync(0, 'utf8').split('\n').filter((line) => line.trim() !== '') : []; // prettier-ignore
if (isProgram && lines.length === 0) {
  console.error('usage: node dist/examples/verify.js < hands.jsonl');
  process.exitCode = 2;
}
for (const faults of lines.map((line) => verify(JSON.parse(line)))) {
  console.log(faults.join('; ') || 'ok');
  if (faults.length > 0) process.exitCode = 1;
}
