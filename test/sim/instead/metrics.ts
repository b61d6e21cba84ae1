/** src/metrics/metrics.ts without the registry: it measures the real process. */
export class Metrics {
  shard(): void {
    // Nobody scrapes a simulated platform.
  }

  node(): void {
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
}
