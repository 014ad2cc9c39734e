import { InvalidArgumentError } from "commander";

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a period such as `24h` to milliseconds. */
export const periodOf = (text: string): number => {
  const [, digits = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = Number(digits) * (units[unit] ?? 0);
  if (ms > 0) return ms;
  throw new InvalidArgumentError("a period expected, for example 30m, 24h or 7d.");
};
