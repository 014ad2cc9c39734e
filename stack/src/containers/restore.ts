/** The machine of docker compose is lost: what was backed up runs on another one. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { step } from "../../launch/progress.mjs";
import type { Home } from "../home.ts";
import { inRepository } from "../repository.ts";
import { add, type Counts } from "../testing/runner/counts.ts";
import { documentedCommands } from "../testing/suites/documented-commands.ts";
import { checkLoss } from "../testing/suites/loss.ts";
import { composeUp, keepLogs, removeProject, runAsOperator } from "./compose.ts";
import type { ContainerSession } from "./session.ts";
import { containerLog } from "./session.ts";

interface Way {
  backUp(): Promise<unknown>;
  /** Starts the suite as well. */
  restore(): Promise<unknown>;
}

/** Backs the suite up, removes everything that it has on this machine, restores it, and asks again. */
const checkWay = (home: Home, { project, environment }: ContainerSession, way: Way): Promise<Counts> =>
  checkLoss(environment, async () => {
    await way.backUp();
    await keepLogs(project, containerLog(home));
    await removeProject(project);
    await way.restore();
    // The first credential is part of what was restored, and works as before.
    return environment;
  });

/** Copies of stopped stores, by the scripts of `stack/backup`. */
const copiesOfStores = (home: Home, { project }: ContainerSession): Way => {
  const folder = join(home.root, "backup");
  const runScript = (name: string): Promise<unknown> =>
    runAsOperator(project, `stack/backup/${name}`, inRepository("stack", "backup", name), folder);
  return {
    backUp: () => runScript("backup.sh"),
    restore: async () => {
      await runScript("restore.sh");
      await step("docker compose up --wait", () => composeUp(project, "--no-build"));
    },
  };
};

/** A backup of the running suite, by the commands of docs/operations.md. */
const documentedBackup = (home: Home, { project }: ContainerSession): Way => {
  const folder = join(home.root, "documented-backup");
  mkdirSync(folder, { recursive: true });
  const prepare =
    documentedCommands("the key of backups") + documentedCommands("the folder of backups on compose");
  const run = (name: string): Promise<unknown> => {
    const script = `cd "$1"\n${prepare}${documentedCommands(name)}`;
    return runAsOperator(project, name, "-euc", script, "sh", folder);
  };
  return { backUp: () => run("backup on compose"), restore: () => run("restore on compose") };
};

export const checkRestore = async (home: Home, session: ContainerSession): Promise<Counts> =>
  add(
    await checkWay(home, session, copiesOfStores(home, session)),
    await checkWay(home, session, documentedBackup(home, session)),
  );
