/** Seats, takeovers, reconnects and resyncs, over three nodes. */
import '../../support/spread-platform.js';

await import('../../platform/seats.test.js');
