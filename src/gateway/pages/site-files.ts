import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

/**
 * The files that src/ops/web.mjs leaves in dist/web, read into memory: a build beside a running server does not disturb
 * it.
 */

const SiteIndex = Type.Object({
  /** The document. Its text names the files that it loads. */
  document: Type.String(),
  files: Type.Array(
    Type.Object({
      /** In the folder. */
      name: Type.String(),
      /** Below the host's root. */
      path: Type.String(),
      type: Type.String(),
      /** The name holds a hash of the content. */
      immutable: Type.Boolean(),
      /** First 16 hex digits of its SHA-256. */
      hash: Type.String(),
      /** Compressed forms beside it: NAME.br, NAME.gz. */
      encodings: Type.Array(Type.Union([Type.Literal('br'), Type.Literal('gzip')])),
    }),
  ),
});

export type Encoding = 'br' | 'gzip' | 'identity';

/** One file in all its forms. */
export interface SiteFile {
  path: string;
  type: string;
  immutable: boolean;
  hash: string;
  bodies: Partial<Record<Encoding, Uint8Array>> & { identity: Uint8Array };
}

export interface SiteFiles {
  document: SiteFile;
  /** By path, without the document. */
  files: ReadonlyMap<string, SiteFile>;
}

export const SITE_INDEX = 'site.json';

/** Throws where the folder holds no finished build. */
export function readSite(folder: string): SiteFiles {
  const index: unknown = JSON.parse(readFileSync(join(folder, SITE_INDEX), 'utf8'));
  if (!Value.Check(SiteIndex, index))
    throw new Error(`${join(folder, SITE_INDEX)} is of another version: npm run build`);
  const all = index.files.map((file) => siteFile(folder, file));
  const document = all.find(({ path }) => path === index.document);
  if (document === undefined) throw new Error(`${folder} has no ${index.document}: npm run build`);
  return { document, files: new Map(all.filter((file) => file !== document).map((file) => [file.path, file])) };
}

function siteFile(folder: string, listed: Static<typeof SiteIndex>['files'][number]): SiteFile {
  const { name, path, type, immutable, hash, encodings } = listed;
  const bodies: SiteFile['bodies'] = { identity: readFileSync(join(folder, name)) };
  for (const encoding of encodings) {
    bodies[encoding] = readFileSync(join(folder, `${name}.${encoding === 'br' ? 'br' : 'gz'}`));
  }
  return { path, type, immutable, hash, bodies };
}
