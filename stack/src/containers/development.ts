/** The suite on mounted sources, by docker-compose.override.example.yml. */
import { utimesSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { step } from "../../launch/progress.mjs";
import { inRepository } from "../repository.ts";
import type { Counts } from "../testing/runner/counts.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { compose, composeUp } from "./compose.ts";
import type { ContainerSession } from "./session.ts";

const changed = "services/access/src/main.ts";
const restartedWithinMs = 30_000;

/** Starts the services again on the sources of this folder, changes one, and puts those of the images back. */
export const checkDevelopment = async ({ project }: ContainerSession): Promise<Counts> => {
  const mounted = { ...project, files: [...project.files, "docker-compose.override.example.yml"] };
  await step("docker compose up with docker-compose.override.example.yml", () =>
    composeUp(mounted, "--no-build"),
  );
  const restarted = async () =>
    (await compose(mounted, "logs", "--no-color", "--no-log-prefix", "access")).some((line) =>
      line.startsWith("Restarting"),
    );
  const until = performance.now() + restartedWithinMs;
  const early = await restarted();
  // A new time is change enough, and leaves the text alone.
  utimesSync(inRepository(changed), new Date(), new Date());
  while (!(await restarted()) && performance.now() < until) await delay(1_000);
  const found = verdict(
    !early && (await restarted()),
    `on mounted sources a changed ${changed} starts access again`,
  );
  await step("docker compose up with the sources of the images", () => composeUp(project, "--no-build"));
  return found;
};
