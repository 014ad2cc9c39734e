/**
 * Runs a command once more after 503: the database, which other tests use as well, may lack the time to plan all new statements of a
 * project at once.
 */
export const repeatUnavailable = async <Run extends { readonly errors: string }>(
  run: () => Promise<Run>,
): Promise<Run> => {
  const first = await run();
  return first.errors.includes("(503 unavailable)") ? run() : first;
};
