import type { ProjectGraphs } from "../graphs/project-graphs.ts";
import type { JournalParts } from "../history/journal.ts";

/** What endpoints that change records work with. */
export interface Writing extends JournalParts {
  readonly graphs: ProjectGraphs;
}
