interface Log {
  warn(message: string, fields?: Record<string, unknown>): unknown;
}

/** Projects that are counted at most, and that are named in one line. */
const maxCounted = 1_000;
const maxNamed = 10;
const windowMs = 60_000;

/**
 * Logs the projects whose statements were refused, those with the most first, in one line a minute, also those without
 * series in the metrics.
 */
export const openRefusedProjects = (log: Log, everyMs = windowMs): ((projectId: string) => void) => {
  let counts = new Map<string, number>();
  let total = 0;
  const report = (): void => {
    const most = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, maxNamed);
    log.warn("statements of projects were refused", { refused: total, projects: Object.fromEntries(most) });
    counts = new Map();
    total = 0;
  };
  return (projectId) => {
    if (total === 0) setTimeout(report, everyMs).unref();
    total += 1;
    const count = counts.get(projectId);
    if (count !== undefined || counts.size < maxCounted) counts.set(projectId, (count ?? 0) + 1);
  };
};
