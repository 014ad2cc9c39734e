/** What runs of tests that were killed have left in the engine. */
import { identify } from "../../launch/identity.mjs";
import { say } from "../../launch/progress.mjs";
import { docker } from "./compose.ts";

/** The name of a compose project of tests, by the process that runs them. */
export const projectOf = (pid: number): string => `ikg-test-${pid}`;

/** On containers that no compose project has: the process that runs them. */
export const ownerLabel = "ikg.test.owner";

const format = `{{.ID}} {{.Label "${ownerLabel}"}} {{.Label "com.docker.compose.project"}}`;

/** Removes the containers, volumes and networks of tests whose process is gone. */
export const removeAbandoned = async (): Promise<void> => {
  const projects = new Set<string>();
  for (const line of await docker(["ps", "--all", "--format", format])) {
    const [id = "", owner = "", project = ""] = line.split(" ");
    const pid = Number(owner || (/^ikg-test-(\d+)$/.exec(project)?.[1] ?? Number.NaN));
    if (Number.isNaN(pid) || identify(pid) !== undefined) continue;
    if (owner === "") projects.add(project);
    else await docker(["rm", "--force", "--volumes", id]);
  }
  for (const project of projects) {
    await docker(["compose", "--project-name", project, "down", "--volumes", "--timeout", "2"]);
    say(`Removed what a killed run had left: ${project}.`);
  }
};
