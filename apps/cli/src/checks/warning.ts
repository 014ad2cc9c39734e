import type { Warning } from "@ikg/policy-core/warnings";

/** A warning as faults of the language begin and end, so that its place is found like theirs. */
export const warningPlace = ({ path, line, column }: Warning): string =>
  `${path}: ${line === undefined || column === undefined ? "" : `(line ${line}, column ${column})`}`;

/** What may be wrong, and the code that docs/policy-language.md explains. */
export const warningMessage = ({ text, code }: Warning): string => `${text} (${code})`;
