import {
  type StoredContext,
  contextFilePath,
  readContextFile,
  writeContextFile,
} from "../../connection/context-file.ts";
import { readSecret } from "../../connection/read-secret.ts";
import type { CommandModule, Invocation } from "../../program/command-module.ts";
import { CommandFault } from "../../surroundings.ts";

interface Options {
  readonly tokenFile?: string;
  readonly clientKeyFile?: string;
  readonly offline?: true;
  readonly use: boolean;
}

const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The same with the organization and project that the token opens. */
const verified = async (context: StoredContext): Promise<StoredContext> => {
  if (context.token === undefined) return context;
  const { IkgAdmin } = await import("@ikg/client");
  const admin = new IkgAdmin({ baseUrl: context.url, token: context.token });
  const { id } = await admin.organization();
  if (context.project !== undefined) await admin.projects.get(context.project);
  return { ...context, organization: id };
};

const contextOf = async ({ options, around }: Invocation<[string], Options>): Promise<StoredContext> => {
  const { environment } = around;
  const url = options.url ?? environment["IKG_URL"];
  if (url === undefined) throw new CommandFault("the address is missing: --url https://…, or IKG_URL");
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandFault(`${url} is no http or https address`);
  const { tokenFile, clientKeyFile } = options;
  if (tokenFile === "-" && clientKeyFile === "-")
    throw new CommandFault("standard input has one secret: name a file for the other one");
  return {
    url,
    project: options.project ?? environment["IKG_PROJECT"],
    token: tokenFile === undefined ? environment["IKG_TOKEN"] : await readSecret(tokenFile, around),
    clientKey:
      clientKeyFile === undefined ? environment["IKG_CLIENT_KEY"] : await readSecret(clientKeyFile, around),
  };
};

/** `ikg context add`. */
export const command: CommandModule<[string], Options> = {
  description: [
    "Keeps address, project and credentials in a file that its owner alone can read (mode 600). Credentials come from files, from standard input (-), or from IKG_TOKEN and IKG_CLIENT_KEY; never from the command line, which every user of the machine can read.",
    "The token is tried before anything is kept. A context of the same name is replaced.",
  ],
  examples: [
    {
      does: "A deployment, with the credentials of this shell",
      command: "ikg context add airfield --url $IKG_URL --project $IKG_PROJECT",
    },
    {
      does: "The token from standard input",
      command: 'echo "$IKG_TOKEN" | ikg context add tower --url $IKG_URL --token-file -',
    },
  ],
  configure: (command) =>
    void command
      .argument("<name>", "name of the context")
      .option("--token-file <file>", "file with the token of a service account; - for standard input")
      .option("--client-key-file <file>", "file with the key of an application agent; - for standard input")
      .option("--offline", "keeps it without trying the token")
      .option("--no-use", "does not make it the current context"),
  run: async (invocation) => {
    const { args, options, around, print } = invocation;
    const [name] = args;
    if (!nameForm.test(name))
      throw new CommandFault(`${name}: a name has letters, digits, ".", "_" and "-", 64 at most`);
    const given = await contextOf(invocation);
    const context = options.offline === true ? given : await verified(given);
    const file = readContextFile(around);
    const isCurrent = options.use || file.current === undefined;
    writeContextFile(around, {
      current: isCurrent ? name : file.current,
      contexts: { ...file.contexts, [name]: context },
    });
    const path = contextFilePath(around);
    await print.text(`${name} is kept in ${path}${isCurrent ? ", and is the current context" : ""}.\n`, {
      name,
      file: path,
      current: isCurrent,
    });
  },
};
