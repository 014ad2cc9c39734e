import type { ProjectGraphs } from "../graphs/project-graphs.ts";
import type { Announce } from "../records/announce.ts";
import type { Store } from "../records/store.ts";

/** What endpoints that change records work with. */
export interface Writing {
  readonly store: Store;
  readonly announce: Announce;
  readonly graphs: ProjectGraphs;
}
