import { Bundle, MACHINE } from '../sim/bundle.js';
import { sharePlants } from './plants.js';
import type * as worlds from './world.js';

/** Nodes on a simulated machine (world.ts): the product's lobby and cluster, with rows in memory. */
const bundle = new Bundle<typeof worlds>({
  entry: 'test/share/world.ts',
  own: 'test/share',
  instead: {
    'src/cluster/queries.ts': 'test/share/instead/cluster-queries.ts',
    'src/cluster/wire/node-wire.ts': 'test/share/instead/node-wire.ts',
    'src/shard/main/boot.ts': 'test/share/instead/shard-boot.ts',
    'src/store/node/queries.ts': 'test/share/instead/node-queries.ts',
    ...MACHINE,
  },
  plants: sharePlants,
});

/** The world, whole or with a planted fault. */
export const loadShare = (plantName?: string): Promise<typeof worlds> => bundle.load(plantName);

/** No more worlds for now: while they may be built again, the process does not end. */
export const endBuilding = (): Promise<void> => bundle.end();
