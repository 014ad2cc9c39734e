import type { Intake } from "../types.ts";

/**
 * Ends a statement that answers more bytes than may be held of it.
 *
 * @param excess the error that ends it
 */
export const intakeUpTo = (most: number, excess: () => Error): Intake => {
  let bytes = 0;
  return {
    begin: () => void (bytes = 0),
    received: (count) => {
      bytes += count;
      if (bytes > most) throw excess();
      return undefined;
    },
  };
};
