// What the seats of a game expected of its points, as the bots reported it.
import type { GameEvent } from "./api";

/** A change of some seat's share that counts as a swing. */
const SWING = 0.25;

function normalized(points: number[]): number[] {
  const sum = points.reduce((a, b) => a + b, 0);
  return points.map((one) => (sum > 0 ? one / sum : 1 / points.length));
}

/** Each seat's share of the points after each event: the latest report, null before the first. */
export function sharesOf(events: readonly GameEvent[]): (number[] | null)[] {
  let latest: number[] | null = null;
  return events.map((event) => (latest = event.eval ? normalized(event.eval) : latest));
}

/** The steps (1 for the first event) at which some seat's share changed by a quarter or more. */
export function swingsOf(shares: readonly (number[] | null)[]): Set<number> {
  const steps = new Set<number>();
  shares.forEach((share, i) => {
    const before = shares[i - 1];
    if (!share || !before) return;
    const most = Math.max(...share.map((one, seat) => Math.abs(one - (before[seat] ?? 0))));
    if (most >= SWING) steps.add(i + 1);
  });
  return steps;
}
