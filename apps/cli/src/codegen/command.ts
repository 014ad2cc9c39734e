import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { AddressOptions } from "../policy-tests/suite/address.ts";
import { CommandFault, type ExitCode, type Surroundings } from "../surroundings.ts";
import { modelOf } from "./model-of.ts";
import { printTypes } from "./print-types.ts";
import { sourcesOfFile, sourcesOfProject, typeNameOf } from "./sources.ts";

interface Options extends AddressOptions {
  readonly out: string;
  readonly project?: string;
  readonly from?: string;
  readonly name?: string;
  readonly check?: true;
}

const generate = async (
  { project, from, name, ...address }: Options,
  around: Surroundings,
): Promise<string> => {
  if ((project === undefined) === (from === undefined))
    throw new CommandFault("Name a live project (--project) or a file of policy tests (--from)");
  const { name: known, sources } =
    from === undefined
      ? await sourcesOfProject(project ?? "", address, around)
      : await sourcesOfFile(from, around.cwd);
  return printTypes(name ?? typeNameOf(known), modelOf(sources));
};

const run = async (options: Options, around: Surroundings): Promise<ExitCode> => {
  const text = await generate(options, around);
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
export const codegen = (program: Command, around: Surroundings, ended: (code: ExitCode) => void): Command =>
  program
    .command("codegen")
    .description("Writes the types of a project for @ikg/client: node types, actions, queries, parameters.")
    .requiredOption("--out <file>", "the TypeScript file")
    .option("--project <name>", "a live project, by name or gid")
    .option("--from <file>", "a file of policy tests, instead of a live project")
    .option("--name <type>", "name of the type; by default that of the project")
    .option("--check", "writes nothing and ends with 1 if the file is stale")
    .option("--url <address>", "address of the gateway (or IKG_URL)")
    .option("--environment <file>", "environment.json of a suite (or IKG_ENVIRONMENT)")
    .addHelpText(
      "after",
      "\nA live project needs IKG_SERVICE_ACCOUNT_TOKEN. With IKG_CLIENT_KEY (permission ReadDataSchema) the types\nof its graph are written as well.",
    )
    .action(async (options: Options) => ended(await run(options, around)));
