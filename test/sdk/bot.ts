/** The bot program by which the TypeScript kit is proven (prove.ts says what it has to tell). */
import { playBot } from '../../sdk/typescript/src/index.js';

const tell = (event: string, about: object) => process.stdout.write(`${JSON.stringify({ event, ...about })}\n`);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

const summary = await playBot({
  nonces: process.env['NONCES'] === '1',
  lean: process.env['LEAN'] === '1',
  signal: stop.signal,
  // A decision may be thought over: some of them while the line is cut.
  decide: async (hand) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    const inPots = hand.pots.reduce((sum, { amount }) => sum + amount, 0);
    if (inPots !== hand.pot) throw new Error(`pots of ${inPots} where ${hand.pot} lie`);
    if (hand.canRaise && Math.random() < 0.1) return hand.raisePot(0.5);
    if (hand.canCheck) return hand.check();
    return Math.random() < 0.7 ? hand.call() : hand.fold();
  },
  on: {
    decision: ({ hand, action }) =>
      tell('decision', { handId: hand.handId, action: 'mix' in action ? 'mix' : action.action }),
    connection: (change) => tell('connection', change),
    verified: (verified) => tell('verified', verified),
    warning: ({ error, ...warning }) => tell('warning', { ...warning, error: String(error) }),
    log: ({ level, text }) => {
      if (level === 'warn' || level === 'error') process.stderr.write(`${text}\n`);
    },
  },
});
tell('end', { summary });
