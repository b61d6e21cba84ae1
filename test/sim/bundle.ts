import { context, type BuildContext, type Plugin } from 'esbuild';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plant } from './plants.js';

/** From dist/test/sim. */
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Modules of Node on virtual time, with seeded randomness. */
export const MACHINE: Readonly<Record<string, string>> = {
  'node:crypto': 'test/sim/machine/crypto.ts',
  'node:perf_hooks': 'test/sim/machine/perf-hooks.ts',
  'node:process': 'test/sim/machine/process.ts',
  'node:timers/promises': 'test/sim/machine/timers-promises.ts',
};

export interface BundleOptions {
  /** The module that the world begins with. */
  entry: string;
  /** Importers below this folder get the real modules. */
  own: string;
  /** Modules of the product, and packages, with the files that replace them. */
  instead: Readonly<Record<string, string>>;
  plants: readonly Plant[];
}

/** The whole world tells places of the sources; of a planted one is asked what it finds. */
type Kind = 'whole' | 'planted';

/**
 * Builds a world of product code with another Node (virtual time, seeded randomness) and other storage. Nothing in the
 * product knows of it. With a plant, one place of the product's source is changed: a fault that a simulation must find.
 * Paths begin at the root of the project.
 */
export class Bundle<World> {
  /** Built again for each plant, they read but the one file that has changed. */
  readonly #builders = new Map<Kind, Promise<BuildContext<{ write: false }>>>();
  readonly #plantable: ReadonlySet<string>;
  /** The plant of the world that is built just now. */
  #planted: Plant | undefined;

  constructor(private readonly options: BundleOptions) {
    this.#plantable = new Set(options.plants.map(({ file }) => join(root, file)));
  }

  /** The world, whole or with a planted fault. Rejects for a plant that is unknown or does not fit the source any more. */
  async load(plantName?: string): Promise<World> {
    const { plants } = this.options;
    const plant = plants.find(({ name }) => name === plantName);
    if (plantName !== undefined && plant === undefined) {
      throw new Error(`there is no plant ${plantName}; there are ${plants.map(({ name }) => name).join(', ')}`);
    }
    const text = await this.#bundled(plant);
    const folder = join(root, 'dist/test/sim/worlds');
    const path = join(folder, `${this.options.own.replaceAll('/', '-')}-${plantName ?? 'whole'}-${process.pid}.js`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, text);
    try {
      return (await import(pathToFileURL(path).href)) as World;
    } finally {
      rmSync(path);
    }
  }

  /** No more worlds for now: while they may be built again, the process does not end. */
  async end(): Promise<void> {
    const contexts = await Promise.all(this.#builders.values());
    this.#builders.clear();
    await Promise.all(contexts.map((each) => each.dispose()));
  }

  /** One at a time. */
  async #bundled(plant: Plant | undefined): Promise<string> {
    const kind = plant === undefined ? 'whole' : 'planted';
    const building = this.#builders.get(kind) ?? this.#builder(kind);
    this.#builders.set(kind, building);
    this.#planted = plant;
    const { outputFiles } = await (await building).rebuild();
    const [bundle] = outputFiles;
    if (bundle === undefined) throw new Error('the world was built without a file');
    return bundle.text;
  }

  #builder(kind: Kind): Promise<BuildContext<{ write: false }>> {
    return context({
      entryPoints: [join(root, this.options.entry)],
      inject: [join(root, 'test/sim/machine/globals.ts')],
      plugins: [this.#planting(), this.#replacing()],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: kind === 'whole' ? 'inline' : false,
      sourcesContent: false,
      logLevel: 'silent',
      absWorkingDir: root,
      outdir: join(root, 'dist/test/sim/worlds'),
    });
  }

  /** The product's imports are replaced. The simulation itself imports the real modules. */
  #replacing(): Plugin {
    const { own, instead } = this.options;
    const simulation = [join(root, own), join(root, 'test/sim')];
    return {
      name: 'replacing',
      setup({ onResolve }) {
        onResolve({ filter: /.*/ }, ({ path, importer, resolveDir }) => {
          if (isAbsolute(path)) return undefined;
          const file = path.startsWith('.') ? resolve(resolveDir, path).replace(/\.js$/, '.ts') : null;
          const other = instead[file === null ? path : relative(root, file)];
          if (other !== undefined && !simulation.some((folder) => importer.startsWith(folder))) {
            return { path: join(root, other) };
          }
          return file === null ? { path, external: true } : { path: file };
        });
      },
    };
  }

  /** Changes the one place; fails where the source has it not exactly once. */
  #planting(): Plugin {
    const files = this.options.plants.map(({ file }) => file.replaceAll('.', '\\.'));
    const anyOf = new RegExp(`(${files.join('|')})$`);
    return {
      name: 'planting',
      setup: ({ onLoad }) => {
        onLoad({ filter: anyOf }, ({ path }) => {
          if (!this.#plantable.has(path)) return undefined;
          const source = readFileSync(path, 'utf8');
          if (path !== join(root, this.#planted?.file ?? '')) return { contents: source, loader: 'ts' };
          const { name, file, find, replace } = this.#planted!;
          if (source.split(find).length !== 2) {
            throw new Error(`the plant ${name} no longer fits ${file}: change it along with the source`);
          }
          return { contents: source.replace(find, () => replace), loader: 'ts' };
        });
      },
    };
  }
}
