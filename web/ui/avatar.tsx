/**
 * A picture of a name: drawn here, since one from elsewhere would tell its host who looks. Same name, same picture.
 */
export function Avatar({ name, size = 28, ...place }: { name: string; size?: number; x?: number; y?: number }) {
  const bits = hash(name);
  const hue = bits % 360;
  let squares = '';
  for (let row = 0; row < 5; row++) {
    for (let column = 0; column < 3; column++) {
      if ((bits >>> (row * 3 + column + 4)) & 1) squares += square(column, row) + square(4 - column, row);
    }
  }
  // One path: a list that is scrolled draws dozens of pictures anew in each frame.
  return (
    <svg class="avatar" width={size} height={size} viewBox="-1 -1 7 7" aria-hidden="true" {...place}>
      <rect x="-1" y="-1" width="7" height="7" rx="1.2" fill={`hsl(${hue} 35% 30%)`} />
      <path d={squares} fill={`hsl(${hue} 60% 75%)`} />
    </svg>
  );
}

const square = (x: number, y: number) => `M${x} ${y}h1.02v1.02h-1.02z`;

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) >>> 0;
}
