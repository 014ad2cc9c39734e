import type { Service } from "@ikg/service";
import type { PendingRecords } from "./waiting-records.ts";
import type { WriterParts } from "./writer-parts.ts";

/** Registers the metrics of a writer. */
export const writerMetrics = (metrics: Service["metrics"]): WriterParts["metrics"] => {
  const stored = metrics.counter(
    "ikg_audit_records_stored_total",
    "Audit records that are in a signed batch.",
  );
  const failures = metrics.counter("ikg_audit_signing_failures_total", "Signatures that failed.", ["reason"]);
  const waiting = metrics.gauge(
    "ikg_audit_records_waiting",
    "Audit records of all projects that are not in a signed batch yet.",
  );
  const waitingBytes = metrics.gauge(
    "ikg_audit_bytes_waiting",
    "Bytes of audit records of all projects that are not in a signed batch yet.",
  );
  const spilledBytes = metrics.gauge(
    "ikg_audit_spilled_bytes",
    "Bytes of audit records that wait in the database because they cannot be signed.",
  );
  const waitingOfProjects = metrics.gauge(
    "ikg_project_audit_waiting_bytes",
    "Bytes of audit records of a project that are not in a signed batch yet.",
    ["project"],
  );
  return {
    stored: (events) => stored.inc(events),
    waiting: (chains) => {
      const sumOf = (member: keyof PendingRecords): number =>
        [...chains.values()].reduce((sum, each) => sum + each[member], 0);
      waiting.set(sumOf("records"));
      waitingBytes.set(sumOf("bytes"));
      metrics.projects.show(
        waitingOfProjects,
        new Map([...chains].map(([chain, { bytes }]) => [chain, bytes])),
      );
    },
    spilled: (bytes) => spilledBytes.set(bytes),
    failed: (reason) => failures.inc({ reason }),
  };
};
