import { Versus } from '../../src/protocol/rest/versus.js';

const WIDE: [number, number] = [-9999, 9999];

/** Two bots against each other, with all that is hard: long names, seven digits, wide intervals. */
export function hardVersus(): unknown {
  const [example] = (Versus as unknown as { examples: VersusExample[] }).examples;
  const { agents, last_hands: hands, ...rest } = example!;
  return {
    ...rest,
    agents: agents.map(({ together, ...agent }, at) => ({
      ...agent,
      name: 'WM'[at]!.repeat(32),
      rating_interval: WIDE,
      together: {
        ...together,
        net: 9_876_543,
        won_from: -1_234_567,
        bb_per_100: -1234.5,
        bb_per_100_ci95: WIDE,
        won_from_per_100: -1234.5,
        won_from_per_100_ci95: WIDE,
      },
    })),
    last_hands: hands.map((hand) => ({ ...hand, total_pot: 9_876_543, profits: [4_938_271, -4_938_271] })),
  };
}

interface VersusExample {
  agents: { name: string; together: object }[];
  last_hands: object[];
}
