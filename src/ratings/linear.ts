/** A symmetric, positive definite system of equations: a graph's Laplacian, and `ridge` on the diagonal. */
export interface Graph {
  nodes: number;
  ridge: number;
  /** The edges: both ends, and the weight. */
  from: Int32Array;
  to: Int32Array;
  weight: Float64Array;
}

/** Weights of all edges of a node, and the ridge. */
export function diagonalOf({ nodes, ridge, from, to, weight }: Graph): Float64Array {
  const diagonal = new Float64Array(nodes).fill(ridge);
  for (let edge = 0; edge < weight.length; edge++) {
    diagonal[from[edge]!]! += weight[edge]!;
    diagonal[to[edge]!]! += weight[edge]!;
  }
  return diagonal;
}

function multiply({ nodes, ridge, from, to, weight }: Graph, x: Float64Array): Float64Array {
  const product = new Float64Array(nodes);
  for (let node = 0; node < nodes; node++) product[node] = ridge * x[node]!;
  for (let edge = 0; edge < weight.length; edge++) {
    const [a, b] = [from[edge]!, to[edge]!];
    const flow = weight[edge]! * (x[a]! - x[b]!);
    product[a]! += flow;
    product[b]! -= flow;
  }
  return product;
}

const dot = (a: Float64Array, b: Float64Array) => {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
};

/** The residual may be so small a part of the right side. */
const EXACT = 1e-10;

/**
 * Brings `x` to the solution, by conjugate gradients with the diagonal as the preconditioner (Saad, "Iterative Methods
 * for Sparse Linear Systems", 2003, algorithm 9.1). It yields after each step.
 */
export function* solve(graph: Graph, right: Float64Array, x: Float64Array): Generator<void, void> {
  const diagonal = diagonalOf(graph);
  const residual = Float64Array.from(right);
  const start = multiply(graph, x);
  for (let at = 0; at < residual.length; at++) residual[at]! -= start[at]!;
  const enough = EXACT ** 2 * dot(right, right);
  let scaled = residual.map((value, at) => value / diagonal[at]!);
  const direction = Float64Array.from(scaled);
  let size = dot(residual, scaled);
  for (let step = 0; step < 4 * graph.nodes && dot(residual, residual) > enough; step++) {
    const product = multiply(graph, direction);
    const length = size / dot(direction, product);
    for (let at = 0; at < x.length; at++) {
      x[at]! += length * direction[at]!;
      residual[at]! -= length * product[at]!;
    }
    scaled = residual.map((value, at) => value / diagonal[at]!);
    const next = dot(residual, scaled);
    for (let at = 0; at < x.length; at++) direction[at] = scaled[at]! + (next / size) * direction[at]!;
    size = next;
    yield;
  }
}

/**
 * The diagonal of the inverse, by a Cholesky factor and its inverse. The work grows with the cube of the nodes. It
 * yields after each row.
 */
export function* inverseDiagonal(graph: Graph): Generator<void, Float64Array> {
  const { nodes: n, from, to, weight } = graph;
  const diagonal = diagonalOf(graph);
  const rows = Array.from({ length: n }, (_, at) => {
    const row = new Float64Array(at + 1);
    row[at] = diagonal[at]!;
    return row;
  });
  for (let edge = 0; edge < weight.length; edge++) {
    const [a, b] = [from[edge]!, to[edge]!];
    rows[Math.max(a, b)]![Math.min(a, b)]! -= weight[edge]!;
  }
  for (let i = 0; i < n; i++) {
    const row = rows[i]!;
    for (let j = 0; j <= i; j++) {
      const other = rows[j]!;
      let sum = row[j]!;
      for (let k = 0; k < j; k++) sum -= row[k]! * other[k]!;
      row[j] = i === j ? Math.sqrt(sum) : sum / other[j]!;
    }
    yield;
  }
  const inverse = new Float64Array(n);
  const column = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    // The factor's inverse, column by column: the squares of a column sum to the diagonal.
    for (let i = j; i < n; i++) {
      const row = rows[i]!;
      let sum = i === j ? 1 : 0;
      for (let k = j; k < i; k++) sum -= row[k]! * column[k]!;
      column[i] = sum / row[i]!;
      inverse[j]! += column[i]! ** 2;
    }
    yield;
  }
  return inverse;
}

/**
 * The diagonal of the inverse without the ridge's part, to the first order in the neighbours' own doubt. It is close
 * where each node has many edges, and too small where two parts of the graph hardly meet.
 */
export function nearDiagonal(graph: Graph): Float64Array {
  const diagonal = diagonalOf(graph);
  const left = Float64Array.from(diagonal);
  const { from, to, weight } = graph;
  for (let edge = 0; edge < weight.length; edge++) {
    const [a, b] = [from[edge]!, to[edge]!];
    left[a]! -= weight[edge]! ** 2 / diagonal[b]!;
    left[b]! -= weight[edge]! ** 2 / diagonal[a]!;
  }
  return left.map((value) => 1 / value);
}
