import type { Gid } from "@ikg/contracts";
import { sampleRepeatedly, type Service } from "@ikg/service";
import type { ImportRecords } from "./records.ts";

/** Counts the rows that this process writes for each project. */
export const countRows = (metrics: Service["metrics"]): ((project: Gid, rows: number) => void) =>
  metrics.projects.counts(
    metrics.counter("ikg_project_import_rows_total", "Rows of imports that were written for a project.", [
      "project",
    ]),
  );

/** Looks every few seconds what imports keep in the database; the same numbers for all processes. */
export const watchStoredBytes = (
  records: Pick<ImportRecords, "storedBytesOfProjects">,
  metrics: Service["metrics"],
): { close(): Promise<void> } => {
  const gauge = metrics.gauge(
    "ikg_project_import_stored_bytes",
    "Compressed bytes that imports of a project which have not ended keep in the database.",
    ["project"],
  );
  return sampleRepeatedly(async () => metrics.projects.show(gauge, await records.storedBytesOfProjects()));
};
