import fc from "fast-check";
import { shrinks } from "../shrink.ts";
import { Draw } from "./draw.ts";

/** A case drawn by a function; fast-check owns the randomness and walks to the smallest case that still fails. */
class Drawn<T> extends fc.Arbitrary<T> {
  readonly #make: (draw: Draw) => T;

  constructor(make: (draw: Draw) => T) {
    super();
    this.#make = make;
  }

  override generate(random: fc.Random): fc.Value<T> {
    return new fc.Value(this.#make(new Draw(random)), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return value !== undefined;
  }

  override shrink(value: T): fc.Stream<fc.Value<T>> {
    return fc.stream(
      (function* () {
        for (const each of shrinks(value)) yield new fc.Value(each, undefined);
      })(),
    );
  }
}

export const drawn = <T>(make: (draw: Draw) => T): fc.Arbitrary<T> => new Drawn(make);

/** This case and whatever is smaller. */
export const from = <T>(value: T): fc.Arbitrary<T> => new Drawn(() => value);
