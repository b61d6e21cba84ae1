import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, request, type Server } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import {
  createTestClient,
  encodeFunctionData,
  getAddress,
  http,
  publicActions,
  walletActions,
  type Abi,
  type Address,
  type Hex,
} from 'viem';
import { mnemonicToAccount, type HDAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import type { Scope } from './database.js';

/** The well-known accounts of every development node; they hold nothing anywhere else. */
const MNEMONIC = 'test test test test test test test test test test test junk';
const artifact = (name: string) => {
  const file = new URL(`../../../test/fixtures/token/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as { abi: Abi; bytecode: Hex };
};

/** Path of the anvil binary, or null where it is not installed for this machine. */
export function anvilBinary(): string | null {
  try {
    const path = createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil');
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

const { abi, bytecode } = artifact('token');
const contractWallet = artifact('wallet');

export const account = (index: number): HDAccount => mnemonicToAccount(MNEMONIC, { addressIndex: index });
export const keyOf = (index: number): Hex => {
  const { privateKey } = account(index).getHdKey();
  return `0x${Buffer.from(privateKey!).toString('hex')}`;
};
export const treasuryAccount = account(0);

/** A chain of its own, on a free port; it mines on demand only. It ends with the test, or with the process. */
export class Anvil {
  readonly client;
  token: Address = '0x';

  private constructor(
    readonly url: string,
    readonly child: ChildProcess,
  ) {
    this.client = createTestClient({ mode: 'anvil', chain: foundry, transport: http(url), pollingInterval: 20 })
      .extend(publicActions)
      .extend(walletActions);
  }

  static async start(t: Scope, options: string[] = []): Promise<Anvil> {
    const binary = anvilBinary();
    if (binary === null) throw new Error('anvil is not installed');
    const child = spawn(binary, ['--port', '0', '--mnemonic', MNEMONIC, '--no-mining', ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = () => void child.kill('SIGKILL');
    process.once('exit', kill);
    t.teardown(async () => {
      process.off('exit', kill);
      kill();
    });
    const anvil = new Anvil(await listening(child), child);
    await anvil.deploy();
    return anvil;
  }

  async deploy(): Promise<Address> {
    const hash = await this.client.deployContract({ account: account(9), abi, bytecode });
    await this.mine();
    const { contractAddress } = await this.client.getTransactionReceipt({ hash });
    return (this.token = getAddress(contractAddress!));
  }

  /** A wallet that is a contract, owned by the account. */
  async deployWallet(owner: number): Promise<Address> {
    const { address } = account(owner);
    const hash = await this.client.deployContract({ account: account(9), ...contractWallet, args: [address] });
    await this.mine();
    const { contractAddress } = await this.client.getTransactionReceipt({ hash });
    return getAddress(contractAddress!);
  }

  /** Lets a contract wallet call the token several times in one transaction, without mining. */
  callAs(wallet: Address, owner: number, calls: [functionName: string, args: unknown[]][]): Promise<Hex> {
    const data = calls.map(([functionName, args]) => encodeFunctionData({ abi, functionName, args }));
    const args = [calls.map(() => this.token), data];
    const call = { address: wallet, abi: contractWallet.abi, functionName: 'execute', args, gas: 1_000_000n };
    return this.client.writeContract({ ...call, account: account(owner) });
  }

  mine(blocks = 1): Promise<void> {
    return this.client.mine({ blocks });
  }

  /** Calls the token as one of the accounts, without mining. The fixed `gas` lets a call fail on the chain. */
  call(from: number, functionName: string, args: unknown[], token = this.token): Promise<Hex> {
    const call = { address: token, abi, functionName, args, account: account(from), gas: 500_000n };
    return this.client.writeContract(call);
  }

  async mint(to: Address, units: bigint, token = this.token): Promise<void> {
    await this.call(9, 'mint', [to, units], token);
    await this.mine();
  }

  async balance(owner: Address): Promise<bigint> {
    const read = { address: this.token, abi, functionName: 'balanceOf', args: [owner] };
    return (await this.client.readContract(read)) as bigint;
  }

  /** Every transfer of the token from the treasuries, by its recipient. */
  async paid(treasuries: readonly Address[] = [treasuryAccount.address]): Promise<Map<string, bigint>> {
    const logs = await this.client.getContractEvents({
      address: this.token,
      abi,
      eventName: 'Transfer',
      fromBlock: 0n,
      args: { from: treasuries as Address[] },
    });
    const paid = new Map<string, bigint>();
    for (const log of logs as unknown as { args: { to: string; value: bigint } }[]) {
      paid.set(log.args.to, (paid.get(log.args.to) ?? 0n) + log.args.value);
    }
    return paid;
  }

  /** Drops all transactions that wait to be mined. */
  async dropAll(): Promise<void> {
    await this.client.request({ method: 'anvil_dropAllTransactions' as never });
  }

  /** Drops the last blocks, and mines the same number of blocks without their transactions. */
  async reorganise(blocks: number): Promise<void> {
    await this.client.request({ method: 'anvil_reorg' as never, params: [blocks, []] as never });
  }

  /** The settings of a platform for this chain. */
  settings(treasury = 0): Record<string, string | number> {
    return {
      RPC_URL: this.url,
      CHAIN_ID: 31_337,
      TOKEN_ADDRESS: this.token,
      TREASURY_ADDRESS: account(treasury).address,
      TREASURY_KEY: keyOf(treasury),
      CHAIN_POLL_MS: 50,
      WITHDRAW_HOLD_HOURS: 0,
    };
  }
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (text: string) => {
      output += text;
      const [, address] = /Listening on (127\.0\.0\.1:\d+)/.exec(output) ?? [];
      if (address !== undefined) resolve(`http://${address}`);
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
    child.once('exit', (code) => reject(new Error(`anvil ended with ${code}: ${output}`)));
  });
}

/** Thrown by mischief: the node answers with an error of its own. */
export class NodeError extends Error {}

/** A proxy between platform and node may lie, stall, or cut the connection. */
export type Mischief = (method: string, params: unknown[] | undefined, result: unknown) => unknown;

/** A proxy before a node that can give the platform wrong answers. */
export class CrookedNode {
  /** Changes results; returns what is to be answered. */
  mischief: Mischief | null = null;
  /** Answers nothing but 502. */
  down = false;
  /** ms before each answer. */
  delayMs = 0;
  readonly asked: string[] = [];
  #server: Server;

  private constructor(private readonly target: string) {
    this.#server = createServer((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        setTimeout(() => {
          void this.#answer(body).then(
            (text) => outgoing.writeHead(200, { 'content-type': 'application/json' }).end(text),
            () => outgoing.writeHead(502).end(),
          );
        }, this.delayMs);
      });
    });
  }

  static async before(t: Scope, { url }: Anvil): Promise<CrookedNode> {
    const proxy = new CrookedNode(url);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    t.teardown(async () => {
      proxy.#server.closeAllConnections();
      proxy.#server.close();
    });
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(body: string): Promise<string> {
    if (this.down) throw new Error('down');
    const { method, params } = JSON.parse(body) as { method: string; params?: unknown[] };
    this.asked.push(method);
    const text = await post(this.target, body);
    const answer = JSON.parse(text) as { result?: unknown };
    if (this.mischief === null || !('result' in answer)) return text;
    try {
      return JSON.stringify({ ...answer, result: this.mischief(method, params, answer.result) });
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      return JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: error.message } });
    }
  }
}

function post(url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      incoming.on('end', () => resolve(text));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
