import { readContextFile, writeContextFile } from "../../connection/context-file.ts";
import { connectionOf } from "../../connection/connection.ts";
import { openAdmin } from "../../connection/clients.ts";
import { contextNamed, contextsOf } from "../../connection/contexts.ts";
import { localName } from "../../connection/local-suite.ts";
import { periodOf } from "../../input/period.ts";
import type { CommandModule, Invocation } from "../../program/command-module.ts";
import { CommandFault } from "../../command-environment.ts";
import { addHolderOption, credentialsOf, type HolderOptions } from "./credentials.ts";

interface Options extends HolderOptions {
  readonly displayName?: string;
  readonly expires?: number;
  readonly save?: true;
  readonly replaces?: string;
  readonly overlap?: number;
}

type Call = Invocation<[holder: string], Options>;

/** The name of the context that stores the key. @throws CommandFault if no context has this address */
const contextToSave = ({ options, environment }: Call): string => {
  const { name } = connectionOf(options, environment);
  if (name !== undefined) return name;
  throw new CommandFault("--save requires a context: use --context, or create one with ikg context add");
};

/** Stores a token in a context, and nothing of variables. The context of `npm start` is added to the file. */
const save = ({ options, environment }: Call, name: string, token: string): void => {
  const { context } = contextNamed(contextsOf(environment), name);
  const file = readContextFile(environment);
  const secret = options.serviceAccount === true ? { token } : { clientKey: token };
  writeContextFile(environment, {
    ...file,
    current: file.current ?? localName,
    contexts: {
      ...file.contexts,
      [name]: { ...context, project: options.project ?? context.project, ...secret },
    },
  });
};

/** `ikg keys create`. */
export const command: CommandModule<[holder: string], Options> = {
  description: [
    "Prints only the key on standard output; it cannot be retrieved later. --save stores it in the current context instead.",
  ],
  examples: [
    { purpose: "Store a key in a variable", command: "KEY=$(ikg keys create dispatch-agent)" },
    {
      purpose: "Create a key that expires in 90 days",
      command: "ikg keys create dispatch-agent --expires 90d > key",
    },
    { purpose: "Create the key of the current context", command: "ikg keys create dispatch-agent --save" },
  ],
  configure: (command) =>
    void addHolderOption(
      command
        .argument("<holder>", "name or gid of the application agent or service account")
        .option("--display-name <text>", "purpose of the key")
        .option("--expires <period>", "lifetime, such as 12h or 90d; default: no expiry", periodOf)
        .option("--replaces <id>", "with --service-account: revoke this token after --overlap")
        .option(
          "--overlap <period>",
          "how long the replaced token stays valid, such as 1h or 7d; default: one day",
          periodOf,
        )
        .option("--save", "store the key in the current context instead of printing it"),
    ),
  run: async (call) => {
    const { args, options, environment, print } = call;
    const context = options.save === true ? contextToSave(call) : undefined;
    const { displayName, expires, replaces, overlap, serviceAccount } = options;
    if (
      (replaces !== undefined && serviceAccount !== true) ||
      (overlap !== undefined && replaces === undefined)
    )
      throw new CommandFault("--replaces requires --service-account, and --overlap requires --replaces");
    const { record, token } = await credentialsOf(await openAdmin(call), options).create(args[0], {
      display_name: displayName,
      expire_time: expires === undefined ? undefined : new Date(Date.now() + expires).toISOString(),
      replaces,
      overlap_seconds: overlap === undefined ? undefined : Math.round(overlap / 1_000),
    });
    if (token === undefined)
      throw new CommandFault("the suite created a credential but did not return its key");
    if (context !== undefined) {
      save(call, context, token);
      await print.text(`The key was stored in the context ${context}.\n`, { id: record.id, context });
      return;
    }
    environment.error("warning: the key is only shown now and cannot be retrieved later; store it\n");
    await print.text(`${token}\n`, record);
  },
};
