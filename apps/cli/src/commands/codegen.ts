import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { localName } from "../connection/local-suite.ts";
import type { CommandModule, Invocation } from "../program/command-module.ts";
import { CommandFault, type ExitCode } from "../surroundings.ts";
import { modelOf } from "../codegen/model-of.ts";
import { printTypes } from "../codegen/print-types.ts";
import { sourcesOfFile, sourcesOfProject, typeNameOf } from "../codegen/sources.ts";

interface Options {
  readonly out: string;
  readonly from?: string;
  readonly name?: string;
  readonly check?: true;
  readonly environment?: string;
}

type Called = Invocation<[], Options>;

/** With a suite by its file: that is the deployment, whatever the current context is. */
const inSuite = (called: Called): Called => {
  const { options, around } = called;
  if (options.environment === undefined) return called;
  const environment = { ...around.environment, IKG_ENVIRONMENT: options.environment };
  return { ...called, options: { ...options, context: localName }, around: { ...around, environment } };
};

const generate = async (called: Called): Promise<string> => {
  const { options, around } = called;
  const { project, from } = options;
  if (project !== undefined && from !== undefined)
    throw new CommandFault("Either a live project (--project) or a file of policy tests (--from), not both");
  const { name, sources } = await (from === undefined
    ? sourcesOfProject(inSuite(called))
    : sourcesOfFile(from, around.cwd));
  return printTypes(options.name ?? typeNameOf(name), modelOf(sources));
};

const run = async (called: Called): Promise<ExitCode> => {
  const { options, around } = called;
  const text = await generate(called);
  const file = resolve(around.cwd, options.out);
  if (options.check === true) {
    const current = await readFile(file, "utf8").catch(() => undefined);
    if (current === text) return 0;
    around.error(`${options.out} is stale: run the command without --check\n`);
    return 1;
  }
  await writeFile(file, text).catch((error: unknown) => {
    throw new CommandFault(`${options.out} cannot be written: ${String(error)}`);
  });
  return 0;
};

/** `ikg codegen`: types of a project for the client. */
export const command: CommandModule<[], Options> = {
  description: [
    "Node types, actions, queries and parameters for @ikg/client, from the live project of the context, of --project or of IKG_PROJECT, or from a file of policy tests.",
    "A live project needs the token of a service account, or a person who is signed in. Types of nodes and relationships need a role that reads the data schema: every one but viewer and auditor. They are at most a minute old.",
  ],
  examples: [
    { does: "Types of the project of the context", command: "ikg codegen --out ikg.ts" },
    {
      does: "Types of a file of policy tests",
      command: "ikg codegen --from examples/airfield/airfield.ikg.yaml --out ikg.ts",
    },
    {
      does: "In CI: is the file what it would be?",
      command: "ikg codegen --from examples/airfield/airfield.ikg.yaml --out ikg.ts --check",
    },
  ],
  exitCodes: { 0: "written, or not stale", 1: "the file is stale" },
  configure: (command) =>
    void command
      .requiredOption("--out <file>", "the TypeScript file")
      .option("--from <file>", "a file of policy tests, instead of a live project")
      .option("--name <type>", "name of the type; by default that of the project")
      .option("--check", "writes nothing and ends with 1 if the file is stale")
      .option("--environment <file>", "environment.json of a suite (or IKG_ENVIRONMENT)"),
  run,
};
