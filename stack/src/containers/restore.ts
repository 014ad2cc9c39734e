/** The machine of docker compose is lost: what was backed up runs on another one. */
import { join } from "node:path";
import { step } from "../../launch/progress.mjs";
import { Refusal } from "../../launch/refusal.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import type { Home } from "../home.ts";
import { inRepository, repository } from "../repository.ts";
import type { Counts } from "../testing/counts.ts";
import { checkLoss } from "../testing/loss.ts";
import { composeUp, keepLogs, removeProject } from "./compose.ts";
import type { ContainerSession } from "./session.ts";
import { containerLog } from "./session.ts";

/** As an operator runs it, with the files and the name of this project. */
const runScript = async ({ project }: ContainerSession, name: string, folder: string): Promise<void> => {
  const { code, tail } = await step(`stack/backup/${name}`, () =>
    runProgram("sh", [inRepository("stack", "backup", name), folder], {
      cwd: repository,
      env: {
        ...project.env,
        COMPOSE_PROJECT_NAME: project.name,
        COMPOSE_FILE: project.files.join(":"),
        COMPOSE_ENV_FILES: "/dev/null",
      },
      signal: project.signal,
    }),
  );
  if (code !== 0) throw new Refusal([`${name} failed.`, ...tail.slice(-10)].join("\n"));
};

/** Backs the suite up, removes everything that it has on this machine, restores it, and asks again. */
export const checkRestore = (home: Home, session: ContainerSession): Promise<Counts> => {
  const { project, environment } = session;
  return checkLoss(environment, async () => {
    const folder = join(home.root, "backup");
    await runScript(session, "backup.sh", folder);
    await keepLogs(project, containerLog(home));
    await removeProject(project);
    await runScript(session, "restore.sh", folder);
    await step("docker compose up --wait", () => composeUp(project, "--no-build"));
    // The first credential is part of what was restored, and works as before.
    return environment;
  });
};
