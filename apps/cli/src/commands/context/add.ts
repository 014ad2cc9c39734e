import {
  type StoredContext,
  contextFilePath,
  readContextFile,
  writeContextFile,
} from "../../connection/context-file.ts";
import { readSecret } from "../../connection/read-secret.ts";
import type { CommandModule, Invocation } from "../../program/command-module.ts";
import { CommandFault } from "../../command-environment.ts";

interface Options {
  readonly tokenFile?: string;
  readonly clientKeyFile?: string;
  readonly offline?: true;
  readonly use: boolean;
}

const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Adds the organization and project of the token. */
const verified = async (context: StoredContext): Promise<StoredContext> => {
  if (context.token === undefined) return context;
  const { IkgAdmin } = await import("@ikg/client");
  const admin = new IkgAdmin({ baseUrl: context.url, token: context.token });
  const { id } = await admin.organization();
  if (context.project !== undefined) await admin.projects.get(context.project);
  return { ...context, organization: id };
};

const contextOf = async ({ options, environment }: Invocation<[string], Options>): Promise<StoredContext> => {
  const { variables } = environment;
  const url = options.url ?? variables["IKG_URL"];
  if (url === undefined) throw new CommandFault("an address is required: set --url https://… or IKG_URL");
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandFault(`${url} is not an http or https address`);
  const { tokenFile, clientKeyFile } = options;
  if (tokenFile === "-" && clientKeyFile === "-")
    throw new CommandFault("only one secret can be read from standard input; use a file for the other one");
  return {
    url,
    project: options.project ?? variables["IKG_PROJECT"],
    token: tokenFile === undefined ? variables["IKG_TOKEN"] : await readSecret(tokenFile, environment),
    clientKey:
      clientKeyFile === undefined
        ? variables["IKG_CLIENT_KEY"]
        : await readSecret(clientKeyFile, environment),
  };
};

/** `ikg context add`. */
export const command: CommandModule<[string], Options> = {
  description: [
    "Stores address, project and credentials in a file that only its owner can read (mode 600). Credentials are read from files, standard input (-), or IKG_TOKEN and IKG_CLIENT_KEY, but not from the command line, which every user of the machine can read.",
    "The token is tested before anything is stored. An existing context of the same name is replaced.",
  ],
  examples: [
    {
      purpose: "Add a context with the credentials of this shell",
      command: "ikg context add airfield --url $IKG_URL --project $IKG_PROJECT",
    },
    {
      purpose: "Read the token from standard input",
      command: 'echo "$IKG_TOKEN" | ikg context add tower --url $IKG_URL --token-file -',
    },
  ],
  configure: (command) =>
    void command
      .argument("<name>", "name of the context")
      .option("--token-file <file>", "file with the token of a service account; - for standard input")
      .option("--client-key-file <file>", "file with the key of an application agent; - for standard input")
      .option("--offline", "do not test the token")
      .option("--no-use", "do not make it the current context"),
  run: async (invocation) => {
    const { args, options, environment, print } = invocation;
    const [name] = args;
    if (!nameForm.test(name))
      throw new CommandFault(
        `invalid name ${name}: up to 64 letters, digits, ".", "_" and "-" expected, starting with a letter or digit`,
      );
    const given = await contextOf(invocation);
    const context = options.offline === true ? given : await verified(given);
    const file = readContextFile(environment);
    const isCurrent = options.use || file.current === undefined;
    writeContextFile(environment, {
      current: isCurrent ? name : file.current,
      contexts: { ...file.contexts, [name]: context },
    });
    const path = contextFilePath(environment);
    await print.text(`${name} was stored in ${path}${isCurrent ? " and is the current context" : ""}.\n`, {
      name,
      file: path,
      current: isCurrent,
    });
  },
};
