import type { CaptureResults, Gid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import type { Names } from "@ikg/graph-names";
import type { ConsistencyTokens } from "@ikg/service";
import type { Projects } from "../projects/projects.ts";
import type { Request } from "./transaction.ts";

/** What every operation on nodes and relationships uses. */
export interface CaptureParts {
  readonly graph: Graph;
  readonly projects: Projects;
  readonly names: Names;
  readonly tokens: ConsistencyTokens;
  readonly now: () => Date;
}

/**
 * Carries out one request on the graph of a project, all of it or nothing.
 *
 * @returns one gid for each item, in request order; empty where a delete found nothing.
 * @throws Problem `not_found` (404) without an active graph, `unprocessable` (422) for reserved names and unknown
 *   locations, and what the graph throws.
 */
export type Verb<Body, Answer = CaptureResults> = (
  project: Gid,
  body: Body,
  request: Request,
) => Promise<Answer>;
