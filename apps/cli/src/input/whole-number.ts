import { InvalidArgumentError } from "commander";

/** The value of an option that is a whole number. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === "" || !Number.isInteger(value) || value < least || value > most)
      throw new InvalidArgumentError(`an integer from ${least} to ${most} expected.`);
    return value;
  };
