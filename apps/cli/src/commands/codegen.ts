import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { localName } from "../connection/local-suite.ts";
import type { CommandModule, Invocation } from "../program/command-module.ts";
import { CommandFault, type ExitCode } from "../command-environment.ts";
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

type Call = Invocation<[], Options>;

/** An environment file selects the deployment, regardless of the current context. */
const inSuite = (call: Call): Call => {
  const { options, environment } = call;
  if (options.environment === undefined) return call;
  const variables = { ...environment.variables, IKG_ENVIRONMENT: options.environment };
  return { ...call, options: { ...options, context: localName }, environment: { ...environment, variables } };
};

const generate = async (call: Call): Promise<string> => {
  const { options, environment } = call;
  const { project, from } = options;
  if (project !== undefined && from !== undefined)
    throw new CommandFault("use either a live project (--project) or a policy test file (--from), not both");
  const { name, sources } = await (from === undefined
    ? sourcesOfProject(inSuite(call))
    : sourcesOfFile(from, environment.cwd));
  return printTypes(options.name ?? typeNameOf(name), modelOf(sources));
};

const run = async (call: Call): Promise<ExitCode> => {
  const { options, environment } = call;
  const text = await generate(call);
  const file = resolve(environment.cwd, options.out);
  if (options.check === true) {
    const current = await readFile(file, "utf8").catch(() => undefined);
    if (current === text) return 0;
    environment.error(`${options.out} is out of date: run the command without --check\n`);
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
    "Generates types of nodes, actions, queries and parameters for @ikg/client, from a live project (of the context, --project or IKG_PROJECT) or from a policy test file.",
    "A live project requires the token of a service account or a signed-in user. Types of nodes and relationships require a role that can read the data schema: all roles except viewer and auditor. They may be up to a minute old.",
  ],
  examples: [
    { purpose: "Generate types of the project of the context", command: "ikg codegen --out ikg.ts" },
    {
      purpose: "Generate types of a policy test file",
      command: "ikg codegen --from examples/airfield/airfield.ikg.yaml --out ikg.ts",
    },
    {
      purpose: "Check in CI that the file is up to date",
      command: "ikg codegen --from examples/airfield/airfield.ikg.yaml --out ikg.ts --check",
    },
  ],
  exitCodes: { 0: "written, or up to date", 1: "the file is out of date" },
  configure: (command) =>
    void command
      .requiredOption("--out <file>", "TypeScript file to write")
      .option("--from <file>", "policy test file, instead of a live project")
      .option("--name <type>", "name of the generated type; default: the name of the project")
      .option("--check", "write nothing; exit with code 1 if the file is out of date")
      .option("--environment <file>", "environment.json of a suite (or IKG_ENVIRONMENT)"),
  run,
};
