/** How far between two bounds a pause has grown that doubles with each failure: `first` after none before. Any unit. */
export const backOff = (failuresBefore: number, first: number, longest: number): number =>
  Math.min(longest, first * 2 ** failuresBefore);
