/** Where new nodes go: on rings around the node that they came by, where nothing else stands. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const spacing = 64;
const firstRing = 110;
const ringStep = 66;

/** Points in squares of the spacing, so that those nearby are found without looking at all. */
class Occupied {
  readonly #squares = new Map<string, Point[]>();

  constructor(points: Iterable<Point>) {
    for (const point of points) this.add(point);
  }

  static #square({ x, y }: Point): [number, number] {
    return [Math.floor(x / spacing), Math.floor(y / spacing)];
  }

  add(point: Point): void {
    const key = Occupied.#square(point).join();
    const points = this.#squares.get(key) ?? [];
    points.push(point);
    this.#squares.set(key, points);
  }

  isFree({ x, y }: Point): boolean {
    const [column, row] = Occupied.#square({ x, y });
    for (let across = column - 1; across <= column + 1; across += 1)
      for (let down = row - 1; down <= row + 1; down += 1)
        for (const other of this.#squares.get(`${across},${down}`) ?? [])
          if (Math.hypot(other.x - x, other.y - y) < spacing * 0.8) return false;
    return true;
  }
}

/** Angles of a ring from the middle of the open side to both of its ends. */
const anglesOf = (radius: number, away: number | undefined): readonly number[] => {
  const count = Math.floor((2 * Math.PI * radius) / spacing);
  const step = (2 * Math.PI) / count;
  const start = away ?? -Math.PI / 2;
  return Array.from({ length: count }, (_, at) => start + (at % 2 === 0 ? at / 2 : -(at + 1) / 2) * step);
};

/**
 * Places nodes around another one.
 *
 * @param center of the rings.
 * @param parent the node that `center` itself came by: rings begin on the side away from it.
 * @param others points that stay free.
 * @returns as many points, none near another or near `others`.
 */
export const placeAround = (
  center: Point,
  parent: Point | undefined,
  count: number,
  others: Iterable<Point>,
): readonly Point[] => {
  const occupied = new Occupied(others);
  const away = parent && Math.atan2(center.y - parent.y, center.x - parent.x);
  const placed: Point[] = [];
  // Fewer than a ring takes: all around, not on one side.
  const isSparse = away === undefined && count < (2 * Math.PI * firstRing) / spacing;
  for (let ring = 0; placed.length < count; ring += 1) {
    const radius = firstRing + ring * ringStep;
    const angles = isSparse
      ? Array.from({ length: count }, (_, at) => -Math.PI / 2 + (at * 2 * Math.PI) / count)
      : anglesOf(radius, away);
    for (const angle of angles) {
      if (placed.length === count) break;
      const point = { x: center.x + radius * Math.cos(angle), y: center.y + radius * Math.sin(angle) };
      if (!occupied.isFree(point)) continue;
      occupied.add(point);
      placed.push(point);
    }
  }
  return placed;
};
