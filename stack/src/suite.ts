/** What every part of one suite is started with. */
import type { Home } from "./home.ts";
import { Children } from "./processes/children.ts";
import type { Secrets } from "./secrets.ts";
import type { OwnNeo4j } from "./settings.ts";

/**
 * What the suite is for: `serve` people, whose data stays; the others throw it away, so that their databases need no time to end.
 * `test` is over before an optimized Neo4j would pay; `test-long` lasts hours.
 */
export type Purpose = "serve" | "measure" | "test" | "test-long";

export interface Suite {
  readonly home: Home;
  readonly secrets: Secrets;
  readonly children: Children;
  /** aborted when the suite shall stop, also while it starts */
  readonly signal: AbortSignal;
  readonly purpose: Purpose;
}

/** The two databases under the services, embedded or the person's own. */
export interface Backend {
  readonly neo4j: OwnNeo4j;
  readonly redisUrl: string;
  /** `NEO4J_HEAVY_STATEMENTS` for the heap of an embedded Neo4j; undefined: the person's own Neo4j, whose heap is not known. */
  readonly heavyStatements?: number | undefined;
}

export const newSuite = (parts: Omit<Suite, "children">): Suite => ({ ...parts, children: new Children() });
