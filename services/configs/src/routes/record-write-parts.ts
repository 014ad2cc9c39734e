import type { ProjectGraphs } from "../graphs/project-graphs.ts";
import type { JournalParts } from "../history/journal.ts";

/** Parts that endpoints need to change records. */
export interface RecordWriteParts extends JournalParts {
  readonly graphs: ProjectGraphs;
}
