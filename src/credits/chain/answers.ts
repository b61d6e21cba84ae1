import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { getAddress, toEventSelector } from 'viem/utils';

/**
 * Each kind of answer of the node, held against its question. Pure. An answer that does not fit throws Unbelievable.
 */

/** The node's answer has not the form of one, or answers something else than was asked. */
export class Unbelievable extends Error {
  override name = 'Unbelievable';
}

/** Where something was mined. */
export interface ChainPlace {
  blockNumber: number;
  blockHash: string;
}

export interface Block {
  number: number;
  hash: string;
  parentHash: string;
  /** Hashes, in lower case. */
  transactions: string[];
}

export interface SentTransaction {
  hash: string;
  /** Checksummed. */
  from: string;
  nonce: number;
}

export interface ChainLog extends ChainPlace {
  /** Checksummed. */
  address: string;
  topics: string[];
  data: string;
  logIndex: number;
  transactionHash: string;
}

export interface Receipt extends ChainPlace {
  succeeded: boolean;
  /** Each once, in the order of their indices. */
  logs: ChainLog[];
}

/** A transfer of the token. Addresses are checksummed. */
export interface Transfer {
  from: string;
  to: string;
  logIndex: number;
  /** In the token's smallest unit. */
  units: bigint;
}

export const TRANSFER_TOPIC = toEventSelector(
  'event Transfer(address indexed from, address indexed to, uint256 value)',
);

const Hash = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' });
const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' });
const Quantity = Type.String({ pattern: '^0x[0-9a-fA-F]{1,64}$' });
const header = { number: Quantity, hash: Hash, parentHash: Hash };
const SentForm = Type.Object({ hash: Hash, from: Address, nonce: Quantity });
const LogForm = Type.Object({
  address: Address,
  topics: Type.Array(Hash, { maxItems: 4 }),
  data: Type.String({ pattern: '^0x[0-9a-fA-F]*$' }),
  logIndex: Quantity,
  transactionHash: Hash,
  blockHash: Hash,
  blockNumber: Quantity,
  removed: Type.Optional(Type.Boolean()),
});

const forms = {
  quantity: Compile(Quantity),
  hash: Compile(Hash),
  block: Compile(Type.Object({ ...header, transactions: Type.Array(Hash) })),
  fullBlock: Compile(Type.Object({ ...header, transactions: Type.Array(SentForm) })),
  transaction: Compile(Type.Object({ hash: Hash })),
  logs: Compile(Type.Array(LogForm)),
  receipt: Compile(
    Type.Object({
      transactionHash: Hash,
      blockHash: Hash,
      blockNumber: Quantity,
      status: Type.Enum(['0x0', '0x1']),
      logs: Type.Array(LogForm),
    }),
  ),
};

/** A number of transactions, of a block, of a chain. */
export function numberOf(answer: unknown, what: string): number {
  const number = Number(fitting(forms.quantity, answer, what));
  if (!Number.isSafeInteger(number)) throw new Unbelievable(`${what}: ${number} is too large`);
  return number;
}

/** The block with that number. Null: the node has none. */
export function blockOf(answer: unknown, asked: number | 'latest'): Block | null {
  if (answer === null) return null;
  const { transactions, ...given } = fitting(forms.block, answer, 'a block');
  return { ...headerOf(given, asked), transactions: transactions.map(lower) };
}

/** The same with who has sent each of its transactions. */
export function fullBlockOf(
  answer: unknown,
  asked: number,
): (Omit<Block, 'transactions'> & { transactions: SentTransaction[] }) | null {
  if (answer === null) return null;
  const { transactions, ...given } = fitting(forms.fullBlock, answer, 'a block');
  const sent = transactions.map(({ hash, from, nonce }) => {
    return { hash: lower(hash), from: getAddress(from), nonce: numberOf(nonce, 'a nonce') };
  });
  return { ...headerOf(given, asked), transactions: sent };
}

/** Whether the node has the transaction, mined or waiting. */
export function knows(answer: unknown, asked: string): boolean {
  if (answer === null) return false;
  same(fitting(forms.transaction, answer, 'a transaction').hash, asked, 'the hash of a transaction');
  return true;
}

/** The hash by which the node has taken the transaction. */
export function takenOf(answer: unknown, sent: string): void {
  same(fitting(forms.hash, answer, 'a sent transaction'), sent, 'the hash of a sent transaction');
}

/** The receipt of the transaction `asked`. Its logs must be of this transaction and block. Null: the node has none. */
export function receiptOf(answer: unknown, asked: string): Receipt | null {
  if (answer === null) return null;
  const receipt = fitting(forms.receipt, answer, 'a receipt');
  same(receipt.transactionHash, asked, 'the hash of a receipt');
  const place = { blockNumber: numberOf(receipt.blockNumber, 'a block'), blockHash: lower(receipt.blockHash) };
  const logs = once(receipt.logs.map((log) => logOf(log, place)));
  for (const log of logs) same(log.transactionHash, asked, 'the transaction of a log');
  return { ...place, succeeded: receipt.status === '0x1', logs };
}

/** The logs of a block that one contract has written of one event, each once. */
export function logsOf(answer: unknown, asked: ChainPlace & { address: string; topic: string }): ChainLog[] {
  const logs = once(fitting(forms.logs, answer, 'logs').map((log) => logOf(log, asked)));
  for (const { address, topics } of logs) {
    same(address, asked.address, 'the address of a log');
    same(topics[0] ?? '', asked.topic, 'the event of a log');
  }
  return logs;
}

/**
 * The token's transfers in a transaction, where its receipt and the logs of its block say the same of them. A
 * transaction that failed has none.
 */
export function transfersOf(receipt: Receipt, ofBlock: readonly ChainLog[], hash: string, token: string): Transfer[] {
  const stated = receipt.logs.filter(({ address, topics }) => address === token && topics[0] === TRANSFER_TOPIC);
  const shown = ofBlock.filter(({ transactionHash }) => transactionHash === hash);
  if (stated.map(textOf).join() !== shown.map(textOf).join()) {
    throw new Unbelievable(`the receipt of ${hash} and the logs of its block differ`);
  }
  if (!receipt.succeeded && stated.length > 0) throw new Unbelievable(`${hash} failed, and moved something`);
  return stated.flatMap(({ topics: [, from, to, ...more], data, logIndex }) => {
    // A token of single pieces has the same event with the piece as a third topic.
    if (from === undefined || to === undefined || more.length > 0 || data.length !== 66) return [];
    return [{ from: addressOf(from), to: addressOf(to), logIndex, units: BigInt(data) }];
  });
}

function headerOf(given: { number: string; hash: string; parentHash: string }, asked: number | 'latest') {
  const number = numberOf(given.number, 'the number of a block');
  if (asked !== 'latest' && number !== asked) throw new Unbelievable(`block ${asked} was asked, ${number} answered`);
  return { number, hash: lower(given.hash), parentHash: lower(given.parentHash) };
}

function logOf({ removed, ...log }: Type.Static<typeof LogForm>, { blockNumber, blockHash }: ChainPlace): ChainLog {
  if (removed === true) throw new Unbelievable('a log was removed from the chain');
  same(log.blockHash, blockHash, 'the block of a log');
  if (numberOf(log.blockNumber, 'a block') !== blockNumber) throw new Unbelievable('a log is of another block');
  return {
    blockNumber,
    blockHash,
    address: getAddress(log.address),
    data: lower(log.data),
    topics: log.topics.map(lower),
    transactionHash: lower(log.transactionHash),
    logIndex: numberOf(log.logIndex, 'the index of a log'),
  };
}

/** The same log twice is one; one index with two contents is none. */
function once(logs: readonly ChainLog[]): ChainLog[] {
  const byIndex = new Map<number, ChainLog>();
  for (const log of logs) {
    const before = byIndex.get(log.logIndex);
    if (before !== undefined && textOf(before) !== textOf(log)) {
      throw new Unbelievable(`log ${log.logIndex} of block ${log.blockNumber} has two contents`);
    }
    byIndex.set(log.logIndex, log);
  }
  return [...byIndex.values()].sort((a, b) => a.logIndex - b.logIndex);
}

const textOf = ({ logIndex, transactionHash, address, topics, data }: ChainLog) =>
  JSON.stringify([logIndex, transactionHash, address, topics, data]);

function fitting<T>(form: { Check(value: unknown): value is T }, answer: unknown, what: string): T {
  if (!form.Check(answer)) throw new Unbelievable(`${what} has another form`);
  return answer;
}

function same(given: string, asked: string, what: string): void {
  if (lower(given) !== lower(asked)) throw new Unbelievable(`${what} is ${given}, asked was ${asked}`);
}

/** The address of an indexed topic. */
const addressOf = (topic: string) => getAddress(`0x${topic.slice(-40)}`);
const lower = (text: string) => text.toLowerCase();
