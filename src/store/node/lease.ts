/** How long a node is good for after each renewal, by the database's clock. */
export const LEASE_MS = 5000;
/** By so much sooner its own clock says that the lease has run out: clocks do not run alike. */
const MARGIN_MS = 500;

/** Steady: a wall clock that is set makes no lease longer. */
const now = () => performance.now();

/** A node's view of its own lease, by its own clock. */
export class Lease {
  #until = -Infinity;

  /** Call it before asking, and give `renewed` what it returns: the database may have answered any time after it. */
  asking(): number {
    return now();
  }

  renewed(asked: number): void {
    this.#until = Math.max(this.#until, asked + LEASE_MS - MARGIN_MS);
  }

  /** Nobody can have ended this node because of its lease yet. */
  get holds(): boolean {
    return now() < this.#until;
  }
}
