import { signal } from '@preact/signals';

/** Two clocks for what is written relative to now: one a second for countdowns, one slow for ages. */
export const second = signal(Date.now());
export const moment = signal(Date.now());

setInterval(() => (second.value = Date.now()), 1000);
setInterval(() => (moment.value = Date.now()), 15_000);
