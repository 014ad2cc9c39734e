/** The machine of docker compose is lost: what was backed up runs on another one. */
import { join } from "node:path";
import { step } from "../../launch/progress.mjs";
import type { Home } from "../home.ts";
import { inRepository } from "../repository.ts";
import type { Counts } from "../testing/counts.ts";
import { checkLoss } from "../testing/loss.ts";
import { composeUp, keepLogs, removeProject, runAsOperator } from "./compose.ts";
import type { ContainerSession } from "./session.ts";
import { containerLog } from "./session.ts";

/** Backs the suite up, removes everything that it has on this machine, restores it, and asks again. */
export const checkRestore = (home: Home, session: ContainerSession): Promise<Counts> => {
  const { project, environment } = session;
  return checkLoss(environment, async () => {
    const folder = join(home.root, "backup");
    const runScript = (name: string): Promise<unknown> =>
      runAsOperator(project, `stack/backup/${name}`, inRepository("stack", "backup", name), folder);
    await runScript("backup.sh");
    await keepLogs(project, containerLog(home));
    await removeProject(project);
    await runScript("restore.sh");
    await step("docker compose up --wait", () => composeUp(project, "--no-build"));
    // The first credential is part of what was restored, and works as before.
    return environment;
  });
};
