/** What every part of the measurement works with. */
import type { Driver } from "neo4j-driver";
import type { Target } from "../settings.ts";
import type { Clients } from "./asks.ts";
import type { Project } from "../project.ts";

export interface Bench {
  readonly target: Target;
  readonly driver: Driver;
  readonly clients: Clients;
  /** the drive of size S */
  readonly project: Project;
}
