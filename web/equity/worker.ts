import { answerTo } from './count.js';
import type { EquityQuestion } from './question.js';

/** Counts boards beside the page, so that it stays at hand: before the flop there are up to 1.7 million of them. */
self.onmessage = ({ data }: MessageEvent<EquityQuestion>) => self.postMessage(answerTo(data));
