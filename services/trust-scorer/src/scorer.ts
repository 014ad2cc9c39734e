import type { CatalogProject } from "@ikg/catalog";
import type { Graph } from "@ikg/graph";
import type { Service } from "@ikg/service";
import type { Profiles } from "./profiles/profile.ts";
import type { RecordRun } from "./runs/record-run.ts";
import type { RunRecords } from "./runs/run-record.ts";
import type { ScoreConstants } from "./score/constants.ts";

/** What the verbs of the scorer do their work by; from the settings. */
export interface ScorerSettings {
  readonly constants: ScoreConstants;
  readonly batchSize: number;
  readonly rangeSize: number;
  readonly minShare: number;
  /** Share of its time that a range is worked on, in percent. */
  readonly pacePercent: number;
}

/** Metrics of the work of a process. */
export interface ScorerMetrics {
  /** Nodes of a page that were scored. */
  rows(count: number): void;
  /** How a run ended, or a slot that began none. */
  run(outcome: "finished" | "failed" | "skipped"): void;
  /** A page that had to be tried again. */
  repeated(): void;
}

/** What every operation of the scorer works with. */
export interface Scorer {
  readonly graph: Graph;
  readonly projects: { project(id: string): Promise<CatalogProject | undefined> };
  readonly profiles: Profiles;
  readonly records: RunRecords;
  readonly settings: ScorerSettings;
  readonly log: Service["log"];
  readonly metrics: ScorerMetrics;
  readonly recordRun: RecordRun;
  readonly now: () => Date;
}
