/** src/metrics/metrics.ts without the registry: it measures the real process. */
export class Metrics {
  shard(): void {
    // Nobody scrapes a simulated platform.
  }

  shardEnded(): void {
    // See shard.
  }

  lent(): void {
    // See shard.
  }

  borrowed(): void {
    // See shard.
  }

  frontThread(): void {
    // See shard.
  }

  node(): void {
    // See shard.
  }

  moves(): void {
    // See shard.
  }

  withdrawals(): void {
    // See shard.
  }

  payments(): void {
    // See shard.
  }

  mails(): void {
    // See shard.
  }

  answered(): void {
    // See shard.
  }

  leadEnded(): void {
    // See shard.
  }
}
