/** src/admin/watch.ts without a word from administrators: nobody runs a command beside a simulation. */
export class AdminWatch {
  async start(): Promise<void> {
    // Nothing to hear.
  }

  stop(): void {
    // Nothing to stop.
  }
}
