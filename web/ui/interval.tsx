/**
 * An estimate with its interval, drawn on a scale that all rows share: zero in the middle. An interval that is wider
 * than the scale ends in an arrow at its edge.
 */
export function Interval({ value, low, high, most }: { value: number; low: number; high: number; most: number }) {
  const at = (figure: number) => 50 + (Math.max(-most, Math.min(most, figure)) / most) * 48;
  return (
    <svg class="interval" width="120" height="16" viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">
      <line class="zero" x1="50" x2="50" y1="1" y2="15" />
      <line class="range" x1={at(low)} x2={at(high)} y1="8" y2="8" />
      {low < -most && <path class="beyond" d="M7 4L2 8L7 12" />}
      {high > most && <path class="beyond" d="M93 4L98 8L93 12" />}
      <line class="estimate" x1={at(value)} x2={at(value)} y1="3" y2="13" />
    </svg>
  );
}
