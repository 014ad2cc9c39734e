/** One project of docker compose, made of the files in the repository. */
import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import { step } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { Interrupted } from "../command.ts";
import { repository } from "../repository.ts";

export interface ComposeProject {
  readonly name: string;
  /** relative to the repository, or absolute */
  readonly files: readonly string[];
  /** what the files leave to the environment */
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/**
 * @returns what the command has written
 * @throws UserError with its last lines when it fails
 */
export const compose = async (project: ComposeProject, ...args: readonly string[]): Promise<string[]> => {
  const lines: string[] = [];
  const files = project.files.flatMap((file) => ["--file", file]);
  // What a person keeps in .env is for the suite of that person.
  const given = ["--project-name", project.name, "--env-file", "/dev/null", ...files, ...args];
  const { code } = await runProgram("docker", ["compose", ...given], {
    cwd: repository,
    env: project.env,
    signal: project.signal,
    onLine: (line) => lines.push(line),
  });
  if (project.signal.aborted) throw new Interrupted();
  if (code !== 0)
    throw new UserError([`docker compose ${args.join(" ")} failed.`, ...lines.slice(-15)].join("\n"));
  return lines;
};

/**
 * Runs a shell as an operator does in the folder of the repository, whose docker compose means this project.
 *
 * @param args of sh: a script with its own, or `-euc` with commands
 * @throws UserError with its last lines when it fails
 */
export const runAsOperator = async (
  project: ComposeProject,
  title: string,
  ...args: readonly string[]
): Promise<void> => {
  const { code, tail } = await step(title, () =>
    runProgram("sh", args, {
      cwd: repository,
      env: {
        ...project.env,
        COMPOSE_PROJECT_NAME: project.name,
        COMPOSE_FILE: project.files.map((file) => resolve(repository, file)).join(":"),
        COMPOSE_ENV_FILES: "/dev/null",
      },
      signal: project.signal,
    }),
  );
  if (project.signal.aborted) throw new Interrupted();
  if (code !== 0) throw new UserError([`${title} failed.`, ...tail.slice(-10)].join("\n"));
};

/** Starts it, and waits until everything is healthy. @param more arguments */
export const composeUp = (project: ComposeProject, ...more: readonly string[]): Promise<string[]> =>
  compose(project, "up", "--detach", "--wait", "--wait-timeout", "300", ...more);

/**
 * One command of docker on what the project has started; the lines that it has written.
 *
 * @throws Interrupted when the signal is aborted
 * @throws UserError with its last lines when it fails
 */
export const docker = async (args: readonly string[], signal?: AbortSignal): Promise<string[]> => {
  const lines: string[] = [];
  const { code } = await runProgram("docker", args, {
    ...(signal === undefined ? {} : { signal }),
    onLine: (line) => lines.push(line),
  });
  if (signal?.aborted) throw new Interrupted();
  if (code !== 0) throw new UserError([`docker ${args[0]} failed.`, ...lines.slice(-5)].join("\n"));
  return lines;
};

/** Everything that its containers have written, as one file. */
export const keepLogs = async (project: ComposeProject, file: string): Promise<void> => {
  const unstopped = { ...project, signal: new AbortController().signal };
  const lines = await compose(unstopped, "--profile", "*", "logs", "--no-color", "--no-log-prefix");
  appendFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
};

/** Removes containers, networks and volumes, even if the signal is aborted; images stay. */
export const removeProject = (project: ComposeProject): Promise<unknown> =>
  step(
    "removing the containers",
    () =>
      compose(
        { ...project, signal: new AbortController().signal },
        // What a profile has started, too.
        "--profile",
        "*",
        "down",
        "--volumes",
        "--remove-orphans",
        "--timeout",
        "2",
      ),
    () => "containers, networks and volumes removed",
  );
