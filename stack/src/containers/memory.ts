/** The Neo4j of docker compose runs out of memory under load. */
import type { Counts } from "../testing/runner/counts.ts";
import { describeRecovery, exhaustDatabase, hasRecovered } from "../testing/suites/memory-recovery.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { step } from "../../launch/progress.mjs";
import { compose, docker } from "./compose.ts";
import type { ContainerSession } from "./session.ts";

/** Exit code of a JVM with `ExitOnOutOfMemoryError`. */
const exitCode = "3";

/** How its container has ended since a moment, in seconds of the epoch. */
const endsSince = (container: string, since: number): Promise<string[]> =>
  docker([
    "events",
    "--since",
    String(since),
    "--until",
    String(Math.ceil(Date.now() / 1_000)),
    "--filter",
    `container=${container}`,
    "--filter",
    "event=die",
    "--format",
    "{{.Actor.Attributes.exitCode}}",
  ]);

export const checkMemory = async ({ project, environment }: ContainerSession): Promise<Counts> => {
  const [container = ""] = await compose(project, "ps", "--quiet", "neo4j");
  const since = Math.floor(Date.now() / 1_000);
  const outage = await step("Neo4j runs out of memory", () => exhaustDatabase(environment));
  const ends = await endsSince(container, since);
  return verdict(
    hasRecovered(outage) && ends.join() === exitCode,
    `Neo4j out of memory ends (exit code ${ends.join(", ") || "none"}) and is back, ${describeRecovery(outage)}`,
  );
};
