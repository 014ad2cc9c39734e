import { styleText } from "node:util";
import type { CommandEnvironment } from "../command-environment.ts";

/** Formats by meaning. */
const formats = {
  heading: "bold",
  good: "green",
  bad: "red",
  attention: "yellow",
  faint: "dim",
} as const;

export type Style = (meaning: keyof typeof formats, text: string) => string;

/** Whether colours are enabled (https://no-color.org). */
const hasColours = ({ outputIsTerminal, variables }: CommandEnvironment): boolean =>
  outputIsTerminal && (variables["NO_COLOR"] ?? "") === "" && variables["TERM"] !== "dumb";

/** Formats text on a terminal; plain text otherwise. */
export const styleFor = (environment: CommandEnvironment): Style =>
  hasColours(environment)
    ? (meaning, text) => styleText(formats[meaning], text, { validateStream: false })
    : (_, text) => text;
