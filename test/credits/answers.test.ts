/** Each answer of a node is held against its question: one that was changed anywhere changes no amount and no depth. */
import fc from 'fast-check';
import { custom, encodeAbiParameters, pad } from 'viem';
import t from 'tap';
import { TRANSFER_TOPIC, Unbelievable } from '../../src/credits/chain/answers.js';
import { Chain } from '../../src/credits/chain/chain.js';
import { ChainTransactions } from '../../src/credits/chain/transactions.js';
import { FULL } from '../support/limits.js';

const hashOf = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
const addressOf = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as const;
const hex = (n: number) => `0x${n.toString(16)}`;
const [TOKEN, TREASURY, WALLET] = [addressOf(1), addressOf(2), addressOf(3)];
const [DEPOSIT, OTHER] = [hashOf(101), hashOf(102)];
const HEAD = 12;

const transfer = (hash: string, logIndex: number, units: number) => ({
  address: TOKEN,
  transactionHash: hash,
  logIndex: hex(logIndex),
  blockHash: hashOf(5),
  blockNumber: hex(5),
  topics: [TRANSFER_TOPIC, pad(WALLET), pad(TREASURY)],
  data: encodeAbiParameters([{ type: 'uint256' }], [BigInt(units)]),
  removed: false,
});
const ofDeposit = [transfer(DEPOSIT, 3, 10), transfer(DEPOSIT, 4, 20)];

/** A chain of 13 blocks; two deposits lie in the sixth. */
function told(method: string, params: readonly unknown[]): unknown {
  switch (method) {
    case 'eth_getTransactionReceipt':
      return { transactionHash: DEPOSIT, blockHash: hashOf(5), blockNumber: hex(5), status: '0x1', logs: ofDeposit };
    case 'eth_getLogs':
      return [...ofDeposit, transfer(OTHER, 6, 40)];
    case 'eth_getTransactionByHash':
      return { hash: DEPOSIT, from: WALLET, nonce: '0x7' };
    default: {
      const number = params[0] === 'latest' ? HEAD : Number(params[0]);
      if (number > HEAD) return null;
      const hashes = number === 5 ? [DEPOSIT, OTHER] : [];
      const transactions = params[1] === true ? hashes.map((hash) => ({ hash, from: WALLET, nonce: '0x7' })) : hashes;
      return { number: hex(number), hash: hashOf(number), parentHash: hashOf(number - 1), transactions };
    }
  }
}

type Change = (method: string, params: readonly unknown[], answer: unknown) => unknown;

function chainWith(change: Change): Chain {
  const request = ({ method, params }: { method: string; params: readonly unknown[] }) =>
    Promise.resolve(change(method, params, structuredClone(told(method, params))));
  const settings = { rpcUrl: 'http://node.invalid', chainId: 1, token: TOKEN, treasury: TREASURY };
  return new Chain(settings, custom({ request: request as never }, { retryCount: 0 }));
}

/** Replaces one place of an answer, chosen by the numbers, or takes away or doubles it. */
function changed(answer: unknown, path: readonly number[], by: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof answer !== 'object' || answer === null) return by;
  if (Array.isArray(answer)) {
    const copy = [...(answer as unknown[])];
    const at = step % (copy.length + 2);
    if (at === copy.length) return copy.slice(1);
    if (at > copy.length) return [...copy, ...copy.slice(0, 1)];
    copy[at] = changed(copy[at], rest, by);
    return copy;
  }
  const keys = Object.keys(answer);
  const key = keys[step % keys.length]!;
  return { ...answer, [key]: changed((answer as Record<string, unknown>)[key], rest, by) };
}

const wrong = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, '', '0x', 5, true, {}, [], '0x0', '0x1', 'ab', -1),
  fc.nat(HEAD + 2).map(hex),
  fc.nat(110).map(hashOf),
  fc.nat(9).map(addressOf),
  fc.constantFrom<unknown>(pad(addressOf(2)), pad(addressOf(9)), [transfer(OTHER, 3, 99)], [transfer(DEPOSIT, 3, 99)]),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((n) => encodeAbiParameters([{ type: 'uint256' }], [n])),
);
/** One of the first `answers` answers is changed. */
const changeOf = (answers: number) =>
  fc.record({ which: fc.nat(answers - 1), path: fc.array(fc.nat(20), { maxLength: 5 }), by: wrong });
const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** The n-th answer is changed; the others are true. */
async function outcomeOf<T>(given: { which: number; path: number[]; by: unknown }, ask: (chain: Chain) => Promise<T>) {
  let asked = 0;
  const chain = chainWith((_, __, answer) =>
    asked++ === given.which ? changed(answer, given.path, given.by) : answer,
  );
  try {
    return { value: await ask(chain) };
  } catch (error) {
    if (error instanceof Unbelievable) return { refused: true };
    throw error;
  }
}

const RUNS = FULL ? 5000 : 300;
const UNCHANGED = { which: 99, path: [], by: null };

void t.test('a receipt: whatever one answer is changed to, the same transfers, none, or refused', async (t) => {
  const { value: right } = await outcomeOf(UNCHANGED, (chain) => chain.mined(DEPOSIT));
  t.match(right, { succeeded: true, blockNumber: 5, transfers: [{ units: 10n }, { units: 20n }] });
  const seen = { same: 0, nothing: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(changeOf(3), async (given) => {
      const outcome = await outcomeOf(given, (chain) => chain.mined(DEPOSIT));
      if ('refused' in outcome) return void seen.refused++;
      if (outcome.value === null) return void seen.nothing++;
      seen.same++;
      if (JSON.stringify(outcome.value, text) !== JSON.stringify(right, text)) {
        throw new Error(`believed: ${JSON.stringify(outcome.value, text)}`);
      }
    }),
    { numRuns: RUNS },
  );
  for (const [what, times] of Object.entries(seen)) t.ok(times > 0, `${what}: ${times}`);
});

void t.test('depth: no changed answer adds a confirmation, or makes a block a replaced one', async (t) => {
  const place = { blockNumber: 5, blockHash: hashOf(5) };
  const seen = { depth: new Set<number>(), refused: 0 };
  await fc.assert(
    fc.asyncProperty(changeOf(12), async (given) => {
      const depth = await outcomeOf(given, (chain) => chain.confirmations(place, 12));
      if ('refused' in depth) seen.refused++;
      else if (depth.value > HEAD - 5 + 1) throw new Error(`${depth.value} confirmations`);
      else seen.depth.add(depth.value);
      const replaced = await outcomeOf(given, (chain) => chain.replaced(place, DEPOSIT));
      if (replaced.value === true) throw new Error('one answer has replaced a block');
    }),
    { numRuns: RUNS },
  );
  t.ok(seen.refused > 0 && seen.depth.has(8) && seen.depth.size > 2, [...seen.depth].join());
});

void t.test('a transaction that is another one, and a send that took another one, are refused', async (t) => {
  const raw = '0x02';
  const outgoing = (answer: unknown) => new ChainTransactions(chainWith(() => answer));
  t.equal(await outgoing({ hash: DEPOSIT }).isKnown(DEPOSIT), true);
  t.equal(await outgoing(null).isKnown(DEPOSIT), false);
  await t.rejects(outgoing({ hash: OTHER }).isKnown(DEPOSIT), { name: 'Unbelievable' });
  await t.rejects(outgoing({}).isKnown(DEPOSIT), { name: 'Unbelievable' });
  await t.rejects(outgoing(OTHER).send(raw), { name: 'Unbelievable' });
  await t.rejects(outgoing(null).send(raw), { name: 'Unbelievable' });
  for (const count of ['7', 7, '0x', null, `0x${'f'.repeat(64)}`, [], { count: 7 }]) {
    await t.rejects(outgoing(count).nonce(WALLET), { name: 'Unbelievable' }, JSON.stringify(count));
  }
});

void t.test('one log index with two contents is refused, the same log twice is one', async (t) => {
  const logs = (...more: object[]): Change => {
    return (method, _, answer) =>
      /Receipt/.test(method) ? { ...(answer as object), logs: [...ofDeposit, ...more] } : answer;
  };
  const twice = await chainWith(logs(...ofDeposit)).mined(DEPOSIT);
  t.equal(
    twice?.transfers.reduce((sum, { units }) => sum + units, 0n),
    30n,
  );
  for (const [what, log] of Object.entries({
    'two contents': transfer(DEPOSIT, 3, 11),
    'one more': transfer(DEPOSIT, 5, 10),
    'of another transaction': transfer(OTHER, 6, 40),
    'of another block': { ...transfer(DEPOSIT, 5, 10), blockHash: hashOf(6) },
    removed: { ...transfer(DEPOSIT, 5, 10), removed: true },
  })) {
    await t.rejects(chainWith(logs(log)).mined(DEPOSIT), { name: 'Unbelievable' }, what);
  }
});

void t.test('a height is the newest block that is shown', async (t) => {
  t.equal(await chainWith((_, __, answer) => answer).height(), HEAD);
  const ahead: Change = (_, [asked], answer) =>
    asked === 'latest' ? { ...(answer as object), number: hex(HEAD + 3) } : answer;
  t.equal(await chainWith(ahead).height(), HEAD, 'another node behind the balancer is ahead');
  const far: Change = (_, [asked], answer) =>
    asked === 'latest' ? { ...(answer as object), number: '0xffff' } : answer;
  await t.rejects(chainWith(far).height(), { name: 'Unbelievable' });
});
