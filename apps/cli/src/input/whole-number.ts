import { InvalidArgumentError } from "commander";

/** Parses an option that is a whole number. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === "" || !Number.isInteger(value) || value < min || value > max)
      throw new InvalidArgumentError(`an integer from ${min} to ${max} expected.`);
    return value;
  };
