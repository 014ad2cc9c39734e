/** Collects an option that is a list of names, with commas between them or given several times. */
export const collectNames = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text.split(","),
];
