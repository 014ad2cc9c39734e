import type fc from "fast-check";

/** Draws from one source of randomness, which fast-check owns. */
export class Draw {
  readonly #random: fc.Random;
  #names = 0;

  constructor(random: fc.Random) {
    this.#random = random;
  }

  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number {
    return this.#random.nextInt(least, most);
  }

  chance(share: number): boolean {
    return this.#random.nextInt(1, 1000) <= share * 1000;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  /** Some of the items, in their order. */
  some<T>(items: readonly T[], share: number): T[] {
    return items.filter(() => this.chance(share));
  }

  list<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: this.int(least, most) }, make);
  }

  maybe<T>(share: number, make: () => T): T | undefined {
    return this.chance(share) ? make() : undefined;
  }

  /** Calls one of the makers, each as often as its weight says. */
  among<T>(makers: readonly (readonly [number, () => T])[]): T {
    let left = this.int(
      1,
      makers.reduce((sum, [weight]) => sum + weight, 0),
    );
    for (const [weight, make] of makers) {
      left -= weight;
      if (left <= 0) return make();
    }
    throw new Error("no maker");
  }

  /** A name that no other has in this case. */
  fresh(stem: string): string {
    return `${stem}${++this.#names}`;
  }
}
