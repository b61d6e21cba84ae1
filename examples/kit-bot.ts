/**
 * A bot on the TypeScript kit (docs/guides/kits.md): node dist/examples/kit-bot.js. It takes BASE_URL, WS_URL, API_KEY and NAME
 * from the environment; HANDS makes it leave after so many, LEAN=on makes it read lean frames. In a project of your own
 * the import is '@agent-poker/client'.
 */
import { playBot } from '../sdk/typescript/src/index.js';

const summary = await playBot({
  hands: Number(process.env['HANDS'] ?? Infinity),
  lean: process.env['LEAN'] === 'on',
  decide: (hand) => {
    if (hand.canRaise && Math.random() < 0.15) return hand.raisePot(0.5);
    if (hand.canCheck) return hand.check();
    return hand.toCall <= hand.pot / 2 ? hand.call() : hand.fold();
  },
});
console.log(`${summary.hands} hands, ${String(summary.chips)} chips: ${summary.reason}`);
