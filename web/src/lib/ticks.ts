// Round figures along an axis.

/** Returns round figures from at most `low` to at least `high`, about `most` of them at most. */
export function ticksOf(low: number, high: number, most: number): number[] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [];
  const range = high - low || Math.abs(high) || 1;
  const power = 10 ** Math.floor(Math.log10(range / most));
  const step = power * ([1, 2, 5, 10].find((digit) => range / (digit * power) <= most) ?? 10);
  const ticks: number[] = [];
  for (let i = Math.floor(low / step); i <= Math.ceil(high / step); ++i) {
    // Without what is left of a product such as 3 * 0.1.
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
}
