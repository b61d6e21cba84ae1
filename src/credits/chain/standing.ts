import type { Block, ChainPlace } from './answers.js';
import type { AskingLog } from './asking.js';
import type { Chain } from './chain.js';
import { isGeneral } from './waiting.js';

/** Something decided that the chain may yet take back. */
export interface Watched {
  id: string;
  /** Where the chain had it; null where that is not known. */
  place: ChainPlace | null;
  /** The chain was found to have dropped it: it is looked for wherever it may be. */
  lost: boolean;
  /** Looks at it anew: it is not where it was. */
  moved(): Promise<void>;
}

/**
 * Whether decided things are still where the chain had them. A block at that depth stands for everything below it:
 * while it stands, one question answers for all findings there.
 */
export class Standing {
  #anchor: ChainPlace | null = null;
  #found = new Set<string>();
  #failed = new Set<string>();

  constructor(
    private readonly chain: Pick<Chain, 'block' | 'height'>,
    private readonly depth: number,
    private readonly log: AskingLog,
  ) {}

  /** Throws what is about node or database; what is about one of them is logged once. */
  async look(all: readonly Watched[]): Promise<void> {
    if (all.length === 0) return;
    if (this.#anchor === null || (await this.#stands(this.#anchor)) !== true) this.#found.clear();
    const open = all.filter(({ id, lost }) => lost || !this.#found.has(id));
    if (open.length === 0) return;
    const next = await this.#deepest();
    const below = ({ place }: Watched) => next !== null && place !== null && place.blockNumber <= next.blockNumber;
    const found = new Set(all.filter((each) => this.#found.has(each.id) && below(each)).map(({ id }) => id));
    const blocks = new Map<number, Promise<Block | null>>();
    const stands = async ({ blockNumber, blockHash }: ChainPlace) => {
      const asked = blocks.get(blockNumber) ?? this.chain.block(blockNumber);
      blocks.set(blockNumber, asked);
      const block = await asked;
      return block && block.hash === blockHash;
    };
    for (const each of open) {
      await this.#apart(each, async () => {
        const { id, place, lost } = each;
        const there = place === null ? false : await stands(place);
        if (there === false || lost) return each.moved();
        if (there === true && below(each)) found.add(id);
      });
    }
    // The findings are below this block only if no reorganisation came in between.
    const sure = next !== null && (await this.#stands(next)) === true;
    this.#anchor = sure ? next : null;
    this.#found = sure ? found : new Set();
  }

  async #apart({ id }: Watched, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#failed.delete(id);
    } catch (error) {
      if (isGeneral(error)) throw error;
      if (!this.#failed.has(id))
        this.log.error({ id, err: error }, 'one decided payment cannot be checked, the others are checked');
      this.#failed.add(id);
    }
  }

  /** Null where the node does not know. */
  async #stands({ blockNumber, blockHash }: ChainPlace): Promise<boolean | null> {
    const block = await this.chain.block(blockNumber);
    return block && block.hash === blockHash;
  }

  async #deepest(): Promise<ChainPlace | null> {
    const latest = await this.chain.block('latest');
    const block = latest && (await this.chain.block(Math.max(0, latest.number - this.depth + 1)));
    return block && { blockNumber: block.number, blockHash: block.hash };
  }
}
