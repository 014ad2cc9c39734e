/** What the images and the start of the suite in containers may cost. */
import type { Counts } from "../testing/runner/counts.ts";
import { add } from "../testing/runner/counts.ts";
import { services } from "../services/service-names.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { docker } from "./compose.ts";

/** A service's own layers, on the base that all share. */
const maxMegabytes = 60;
const healthyWithinMs = 60_000;
const base = "node:24-bookworm-slim";

const bytesOf = async (image: string): Promise<number> =>
  Number((await docker(["image", "inspect", "--format", "{{.Size}}", image]))[0]);

const checkSizes = async (): Promise<Counts> => {
  const shared = await bytesOf(base);
  const sizes = new Map<string, number>();
  for (const name of services) sizes.set(name, ((await bytesOf(`ikg/${name}`)) - shared) / 1e6);
  const text = [...sizes].map(([name, size]) => `${name} ${size.toFixed(1)} MB`).join(", ");
  return verdict(
    [...sizes.values()].every((size) => size > 0 && size < maxMegabytes),
    `own layers below ${maxMegabytes} MB: ${text}`,
  );
};

/** @param healthyMs how long the suite took from `docker compose up` to healthy, its images being built */
export const checkFigures = async (healthyMs: number): Promise<Counts> =>
  add(
    await checkSizes(),
    verdict(
      healthyMs < healthyWithinMs,
      `docker compose up to healthy in ${(healthyMs / 1000).toFixed(1)} s, at most ${healthyWithinMs / 1000} s`,
    ),
  );
