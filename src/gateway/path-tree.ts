/** The value of a path, with the text of its parameters. */
export interface PathMatch<T> {
  value: T;
  params: Record<string, string>;
}

interface PathNode<T> {
  literals: Map<string, PathNode<T>>;
  /** The way on for any other segment. */
  parameter: PathNode<T> | null;
  leaf: { value: T; names: string[] } | null;
}

const pathNode = <T>(): PathNode<T> => ({ literals: new Map(), parameter: null, leaf: null });

/** Paths like '/api/season/{season_id}', found by segment; a literal segment goes before a parameter. */
export class PathTree<T> {
  readonly #root = pathNode<T>();

  /** The value at a path; where there is none yet, it is made. */
  at(path: string, make: () => T): T {
    const names: string[] = [];
    let here = this.#root;
    for (const segment of segmentsOf(path)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name === undefined) {
        if (!here.literals.has(segment)) here.literals.set(segment, pathNode());
        here = here.literals.get(segment)!;
      } else {
        names.push(name);
        here = here.parameter ??= pathNode();
      }
    }
    here.leaf ??= { value: make(), names };
    if (here.leaf.names.join() !== names.join()) throw new Error(`${path}: parameters are named differently elsewhere`);
    return here.leaf.value;
  }

  /** Finds a path as it came in the request; null also where it is not properly percent-encoded. */
  find(path: string): PathMatch<T> | null {
    if (!path.startsWith('/')) return null;
    const segments: string[] = [];
    for (const raw of segmentsOf(path)) {
      const segment = decoded(raw);
      if (segment === null) return null;
      segments.push(segment);
    }
    const values: string[] = [];
    const leaf = walk(this.#root, segments, 0, values);
    if (leaf === null) return null;
    return { value: leaf.value, params: Object.fromEntries(leaf.names.map((name, i) => [name, values[i]!])) };
  }
}

function walk<T>(here: PathNode<T>, segments: string[], depth: number, values: string[]): PathNode<T>['leaf'] {
  if (depth === segments.length) return here.leaf;
  const segment = segments[depth]!;
  const literal = here.literals.get(segment);
  const found = literal === undefined ? null : walk(literal, segments, depth + 1, values);
  if (found !== null || here.parameter === null || segment === '') return found;
  values.push(segment);
  const further = walk(here.parameter, segments, depth + 1, values);
  if (further === null) values.pop();
  return further;
}

/** One trailing slash makes no difference. */
function segmentsOf(path: string): string[] {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  return path.slice(1, end).split('/');
}

/** Null for broken encoding, and for a NUL, which no name holds and the database does not take. */
function decoded(segment: string): string | null {
  if (!segment.includes('%')) return segment;
  try {
    const text = decodeURIComponent(segment);
    return text.includes('\0') ? null : text;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
