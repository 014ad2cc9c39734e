import type { Warning } from "@ikg/policy-core/warnings";

/** The position of a warning in the format of errors of the policy language. */
export const warningPlace = ({ path, line, column }: Warning): string =>
  `${path}: ${line === undefined || column === undefined ? "" : `(line ${line}, column ${column})`}`;

/** The text of a warning, and its code in docs/policy-language.md. */
export const warningMessage = ({ text, code }: Warning): string => `${text} (${code})`;
