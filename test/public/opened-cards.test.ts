/**
 * When folded and mucked cards open: over real HTTP, for each rule, kind and state of a pool, each reader and each way
 * out. Then on a real table, where the page and both kits check the proof of the opened cards.
 */
import t, { type Test } from 'tap';
import type { Static } from 'typebox';
import { organizerSight } from '../../src/competitions/results/hand-routes.js';
import { holeSeen, opensCards } from '../../src/history/index.js';
import type { Audience } from '../../src/lobby/index.js';
import { OPEN_CARD_RULES, type OpenCards } from '../../src/protocol/rest/competition-fields.js';
import type { HandProof } from '../../src/protocol/rest/history.js';
import type { PublicHand } from '../../src/protocol/rest/public.js';
import { publicRoutes } from '../../src/public/index.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import type { HandRecord } from '../../src/table/effects.js';
import { verify as verifyInExample } from '../../examples/verify.js';
import { verify as verifyInKit } from '../../sdk/typescript/src/fair.js';
import { factsOf, verify } from '../../web/proof/verify.js';
import { cardNames, cardsIn } from '../support/cards-in.js';
import { CompetitionHouse } from '../support/competition-house.js';
import { addCompetition, addParticipants } from '../support/competition-rows.js';
import { Cup } from '../support/cup.js';
import { stopCluster } from '../support/database.js';
import { agentId, openHouse } from '../support/gateway.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import { openRandomTables } from '../support/random-table.js';
import { recordAnswer, specFor } from '../support/recorder.js';
import { passive, Scene } from '../support/scene.js';
import { verifyInPython } from '../support/verify-python.js';
import { PUBLIC_OPTIONS } from '../support/public-options.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const [OLGA, CARL, PAUL, SAM] = [1, 2, 3, 4];
/** A stranger without a key, a participant without a hand, two players, the organizer. */
const READERS = [null, CARL, PAUL, SAM, OLGA] as const;
type Reader = (typeof READERS)[number];
const STATES = ['active', 'paused', 'ending', 'results_pending', 'finalized'] as const;
const began = new Date(Date.UTC(2026, 0, 1));

const house = await CompetitionHouse.open(t);
const { sql } = house;
const ids = [OLGA, CARL, PAUL, SAM].map(agentId);
await sql`
  insert into agents (agent_id, email, name, key_hash, email_verified_at, terms_accepted_at)
  select id::uuid, id || '@example.org', 'bot_' || right(id, 1), sha256(id::bytea), now(), now()
  from unnest(${ids}::text[]) id`;
const { poolId, fence, randomTables } = await openRandomTables(sql, {
  players: 3,
  old: [PAUL, SAM].map(agentId),
  seed: 21,
  chips: 5000,
});
await sql`update pools set kind = 'competition' where pool_id = ${poolId}`;
await addCompetition(sql, agentId(OLGA), { poolId, state: 'active', started_at: began });
await addParticipants(sql, poolId, [...randomTables[0]!.seated, { agentId: agentId(CARL) }]);
const played: HandRecord[] = [];
while (played.length < 12) {
  const record = randomTables[0]!.play();
  await commitHands(sql, fence, [record]);
  played.push(record);
}
const isClosedFor = (reader: Reader) => (record: HandRecord) =>
  record.players.some((player) => !player.shown && (reader === null || player.agentId !== agentId(reader)));
/** Of these every reader misses a card as long as the cards are closed. */
const telling = played.filter((record) => READERS.every((reader) => isClosedFor(reader)(record)));

async function serve(audience: Audience) {
  const shown = publicRoutes({ ...PUBLIC_OPTIONS, sql, house: audience });
  const served = await openHouse({ TRUSTED_PROXY: 1 }, [...house.competitions.routes, ...house.past.routes, ...shown]);
  t.teardown(() => served.gateway.close());
  return served;
}

const HOUSE: Audience = { spectators: 'public', sealed: false, delayHands: 0 };
const open = await serve(HOUSE);
const late = await serve({ ...HOUSE, delayHands: 3 });
let asked = 0;

async function get({ http }: { http: string }, who: Reader, path: string) {
  // Each from another address: the routes have limits.
  const from = `198.51.${++asked >> 8}.${asked & 255}`;
  const headers = { 'x-forwarded-for': from, ...(who !== null && { authorization: `Bearer key-${who}` }) };
  const response = await fetch(`${http}${path}`, { headers });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  if (isJson) recordAnswer(specFor('GET', path)!, response.status, JSON.parse(text));
  return { status: response.status, text };
}

const set = (change: object) => sql`update competitions set ${sql(change)} where competition_id = ${poolId}`;

const sorted = (cards: Iterable<string>) => [...new Set(cards)].sort();

/** The cards that a reader may know: with `opened` everybody's. */
const expected = ({ board, boardCount, players }: HandRecord, reader: Reader, opened: boolean) =>
  sorted(
    cardNames([
      ...board.slice(0, boardCount),
      ...players.flatMap(({ hole, shown, agentId: id }) =>
        opened || shown || (reader !== null && id === agentId(reader)) ? hole : [],
      ),
    ]),
  );

/** The rulebook of this test, by itself. */
function isOpen(rule: OpenCards, duplicate: boolean, state: string): boolean {
  const over = state === 'results_pending' || state === 'finalized';
  if (rule === 'never') return false;
  return over || (rule === 'after_hand' && !duplicate);
}

await t.test('each rule, for each reader, by each way out', async (t) => {
  t.ok(telling.length > 2, `${telling.length} hands`);
  for (const rule of OPEN_CARD_RULES) {
    for (const duplicate of [false, true]) {
      for (const state of STATES) {
        const over = state === 'results_pending' || state === 'finalized';
        await set({
          open_cards: rule,
          duplicate,
          state,
          ended_at: over ? new Date(began.getTime() + 3_600_000) : null,
        });
        const opened = isOpen(rule, duplicate, state);
        t.equal(opensCards({ openCards: rule, duplicate, state }), opened);
        await t.test(`${rule} ${duplicate ? 'duplicate ' : ''}${state}`, async (t) => {
          const record = telling[asked % telling.length]!;
          for (const reader of READERS) {
            const paths = ['', '/file?format=phh', '/file?format=pokerstars'];
            for (const path of paths) {
              const { status, text } = await get(open, reader, `/api/hands/${record.handId}${path}`);
              t.equal(status, duplicate && !over ? 404 : 200, `${reader} ${path}`);
              if (status === 200) t.same(sorted(cardsIn(text)), expected(record, reader, opened), `${reader} ${path}`);
            }
          }
          if (duplicate) await deckIs(t, over, opened);
          else await organizerReads(t, record, { over, opened });
        });
      }
    }
  }
});

async function deckIs(t: Test, over: boolean, opened: boolean): Promise<void> {
  const slug = `cup-${poolId}`;
  const { status, text } = await get(open, null, `/api/public/competitions/${slug}/decks/1`);
  t.equal(status, over ? 200 : 409);
  if (over) t.same(sorted(cardsIn(text)), expected(played[0]!, null, opened));
}

/** Organizers see all after the end; during play what spectators see, and nothing that is opened with a delay. */
async function organizerReads(t: Test, record: HandRecord, { over, opened }: { over: boolean; opened: boolean }) {
  const paths = [`/${record.handId}`, '/export?format=json&limit=100'];
  for (const path of paths) {
    const { status, text } = await get(open, OLGA, `/api/competitions/${poolId}/hands${path}`);
    t.equal(status, 200, path);
    const lines = text.split('\n').filter((line) => line.includes(record.handId));
    t.same(sorted(cardsIn(lines.join('\n'))), expected(record, null, over || opened), path);
  }
}

/** The hands of a file one by one, the newest first. */
const PARTS: Readonly<Record<string, (text: string) => string[]>> = {
  csv: (text) => text.trimEnd().split('\n').slice(1),
  json: (text) => text.split('\n').filter((line) => line.startsWith('{"hand_id"')),
  phh: (text) => text.split(/^\[\d+\]$/m).slice(1),
  pokerstars: (text) => text.split('\n\n\n').filter((part) => part !== ''),
};

await t.test('the files of a player', async (t) => {
  for (const rule of OPEN_CARD_RULES) {
    for (const state of ['active', 'finalized'] as const) {
      await set({ open_cards: rule, duplicate: false, state });
      const opened = isOpen(rule, false, state);
      for (const [format, parts] of Object.entries(PARTS)) {
        const path = `/api/me/hand-history/export?competition_id=${poolId}&format=${format}`;
        const { status, text } = await get(open, PAUL, path);
        t.equal(status, 200);
        t.same(
          parts(text).map((part) => sorted(cardsIn(part))),
          played.map((record) => expected(record, PAUL, opened)).reverse(),
          `${rule} ${state} ${format}`,
        );
      }
    }
  }
});

await t.test('with a delay nobody but its players sees a young hand', async (t) => {
  await set({ open_cards: 'after_hand', duplicate: false, state: 'active' });
  const young = played.at(-1)!;
  for (const reader of [null, CARL, OLGA]) t.equal((await get(late, reader, `/api/hands/${young.handId}`)).status, 404);
  const own = await get(late, PAUL, `/api/hands/${young.handId}`);
  t.same(sorted(cardsIn(own.text)), expected(young, PAUL, true), 'the hand is over');
  const record = { state: 'active', duplicate: false, open_cards: 'after_hand' } as const;
  const hole = young.players.find(({ shown }) => !shown);
  if (hole !== undefined) {
    t.equal(holeSeen(organizerSight(record, 3), hole), null);
    t.same(holeSeen(organizerSight(record, 0), hole), hole.hole);
  }
  t.same(organizerSight(record, 3), { kind: 'spectator' });
});

await t.test('the rule is set, kept with duplicates, and fixed by an acceptance', async (t) => {
  const create = (more: object) =>
    house.ask('createCompetition', {
      agentId: agentId(OLGA),
      body: { name: 'Open cards', ends_at: new Date(house.clock.now() + 86_400_000).toISOString(), ...more },
    });
  t.match(await create({}), { status: 201, body: { open_cards: 'after_pool' } });
  t.match(await create({ duplicate: true, open_cards: 'after_hand' }), {
    status: 422,
    body: { detail: [{ loc: ['body', 'open_cards'] }] },
  });
  const made = await create({ open_cards: 'never' });
  const { competition_id: id } = made.body as { competition_id: string };
  const patch = (body: object) =>
    house.ask('updateCompetition', { agentId: agentId(OLGA), params: { competition_id: id }, body });
  t.match(await patch({ open_cards: 'after_hand' }), { status: 200, body: { open_cards: 'after_hand' } });
  t.match(await patch({ duplicate: true }), { status: 422 });
  await sql`update competitions set state = 'enrolling' where competition_id = ${id}`;
  await addParticipants(sql, id, [{ agentId: agentId(PAUL) }]);
  t.match(await patch({ open_cards: 'never' }), { status: 409 });
});

await t.test('on a real table: closed while the hand is played, open with its proof when it is over', async (t) => {
  const platform = await TestPlatform.shared(t);
  const scene = new Scene(platform);
  const cup = await Cup.open(platform, { open_cards: 'after_hand' });
  for (const name of ['ada', 'bob', 'cyd']) (await cup.player(scene, name)).auto = passive;
  await cup.step('start');
  for (const player of scene.players) player.send({ type: 'join_lobby' });
  const [ada] = scene.players as [(typeof scene.players)[0]];
  await eventually('some hands', () => ada.all('hand_result').length >= 4);
  const ends = ada.all('hand_result');
  for (const player of scene.players) await player.close();
  let opened = 0;
  const proofs: object[] = [];
  for (const { hand_id: handId } of ends) {
    const { status, body } = await platform.api('GET', `/api/hands/${handId}`);
    t.equal(status, 200);
    const hand = body as Static<typeof PublicHand>;
    t.equal(hand.open_cards, 'after_hand');
    for (const { hole_cards: cards, shown, opened: proof } of hand.players) {
      t.ok(cards, 'all cards are open');
      t.equal(proof === null, shown, 'those that were shown are in the proof of the deal');
      opened += Number(proof !== null);
    }
    const facts = factsOf(hand)!;
    t.equal(facts.holes.size, hand.players.length);
    t.match(await verify(facts, null), { committed: true, opens: true });
    const forged = new Map(facts.holes);
    const [[seat, cards], [other, others]] = [...forged] as [[number, string[]], [number, string[]]];
    forged.set(seat, others).set(other, cards);
    t.match(await verify({ ...facts, holes: forged }, null), { opens: false }, 'another hand is found out');
    const proof = await platform.api('GET', `/api/hands/${handId}/proof`, { key: ada.account.key });
    t.match(proof, { status: 200, body: { opened_hands: Array } });
    proofs.push(proof.body as object);
  }
  t.ok(opened > 0);
  for (const proof of proofs) t.same([...verifyInKit(proof as never), ...verifyInExample(proof)], []);
  t.same([...new Set(verifyInPython(proofs))], ['ok']);
  const [first] = proofs as Static<typeof HandProof>[];
  const swapped = {
    ...first!,
    opened_hands: first!.opened_hands.map((hand) => ({ ...hand, hole_cards: first!.hole_cards })),
  };
  t.ok(verifyInKit(swapped as never).length > 0, 'the kit finds another hand');
  t.ok(verifyInExample(swapped).length > 0, 'the example as well');
  t.not(verifyInPython([swapped])[0], 'ok');
});
