/** Collects the values of a repeatable option with comma-separated names. */
export const collectNames = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text.split(","),
];
