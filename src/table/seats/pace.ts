/** How long a decision took: under a second, under ten, longer (PROTOCOL.md, "Match-making"). */
export type Pace = 0 | 1 | 2;

export const PACES: readonly Pace[] = [0, 1, 2];

export const paceOf = (ms: number): Pace => (ms < 1000 ? 0 : ms < 10_000 ? 1 : 2);
