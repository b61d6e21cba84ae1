/** A table that runs out of numbers while the database is away (protocol.md, "The envelope"). */
import t from 'tap';
import { SEQ_STEP } from '../../src/table/numbering.js';
import { TableDriver, type Client } from '../support/table-driver.js';

const { headsUp } = TableDriver;

/** Repeats an accepted action so many times. Nobody reads the answers. */
function repeat(
  { driver, agentId, socket }: Client,
  message: Parameters<typeof driver.table.act>[3],
  times: number,
): number {
  let answers = 0;
  for (let i = 0; i < times; i++) {
    driver.table.act(driver.now, agentId, socket, message);
    if (i % 1_000 === 999) answers += driver.out.takeFrames()!.index.length / 3;
  }
  return answers;
}

/** An action that was accepted, to be sent again. */
function accepted(driver: TableDriver) {
  const { actor } = driver;
  return { actor, message: actor.act('call') };
}

void t.test('near the bound repeated actions and takeovers are answered no more, until it is raised', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  const { actor, message } = accepted(driver);
  const answers = repeat(actor, message, SEQ_STEP - 20_000);
  t.equal(answers, SEQ_STEP - 20_000, 'each is acknowledged');
  t.equal(
    driver.out.takeEffects().filter(({ effect }) => effect.kind === 'reserve').length,
    1,
    'a higher bound was asked for',
  );
  let further = 0;
  do driver.table.act(driver.now, actor.agentId, actor.socket, message);
  while (driver.out.takeFrames() !== null && ++further < 20_000);
  t.ok(further > 0 && further < 20_000, `after ${further} further ones it falls silent`);

  const other = actor === ada ? bob : ada;
  driver.forget();
  for (const client of [actor, other, other]) {
    client.drop();
    client.connect();
    t.same(client.types(), [], 'a takeover is told nothing');
  }
  const bound = SEQ_STEP * 2;
  driver.do((now) => driver.table.reserved(now, bound));
  t.same(actor.types(), ['table_state']);
  t.same(other.types(), ['table_state', 'your_turn'], 'the actor has its turn again');
  other.act('check');
  driver.checkDown();
  t.ok(driver.sent.some(({ message: { type } }) => type === 'hand_result'));
  const last = driver.sent.findLast(({ message }) => 'table_seq' in message)!.message as { table_seq: number };
  t.ok(last.table_seq < bound);
  t.end();
});

void t.test('the bound that is stored with a hand is one, too', (t) => {
  const { driver } = headsUp();
  driver.deal();
  const { actor, message } = accepted(driver);
  repeat(actor, message, 0.4 * SEQ_STEP);
  driver.checkDown();
  t.ok(driver.records.at(-1)!.seqReserved > 1.4 * SEQ_STEP);
  driver.deal();
  const next = accepted(driver);
  repeat(next.actor, next.message, 0.3 * SEQ_STEP);
  driver.settle();
  t.same(driver.reserves, [], 'no other was asked for');
  t.end();
});
