/** Times (ms) at which each player read the results of its hands, in rising order. */
export type HandTimes = readonly (readonly number[])[];

/** A stretch of time, in ms. */
export interface Span {
  from: number;
  until: number;
}

/** The longest time between two hands that reaches into the span, of each player; `end` is when the record ends. */
export const longestGaps = (players: HandTimes, { from, until }: Span, end: number): number[] =>
  players.map((times) => {
    const ends = [...times, end];
    return Math.max(...ends.map((at, i) => (i > 0 && at > from && ends[i - 1]! < until ? at - ends[i - 1]! : 0)));
  });

/** All times between two hands that reach into the span. */
export const gapsIn = (players: HandTimes, { from, until }: Span): number[] =>
  players.flatMap((times) =>
    times.flatMap((at, i) => (i > 0 && at > from && times[i - 1]! < until ? [at - times[i - 1]!] : [])),
  );

export const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))] ?? NaN;
