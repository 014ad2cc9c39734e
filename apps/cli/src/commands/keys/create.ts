import { readContextFile, writeContextFile } from "../../connection/context-file.ts";
import { connectionOf } from "../../connection/connection.ts";
import { openAdmin } from "../../connection/clients.ts";
import { localName } from "../../connection/local-suite.ts";
import { periodOf } from "../../input/period.ts";
import type { CommandModule, Invocation } from "../../program/command-module.ts";
import { CommandFault } from "../../surroundings.ts";
import { addHolderOption, credentialsOf, type HolderOptions } from "./credentials.ts";

interface Options extends HolderOptions {
  readonly displayName?: string;
  readonly expires?: number;
  readonly save?: true;
  readonly replaces?: string;
  readonly overlap?: number;
}

type Called = Invocation<[holder: string], Options>;

/** The name of the context that keeps the key. @throws CommandFault where the address is that of no context */
const contextToSave = ({ options, around }: Called): string => {
  const { name } = connectionOf(options, around);
  if (name !== undefined) return name;
  throw new CommandFault("--save keeps the key in a context: name one by --context, or ikg context add");
};

/** Keeps a token in a context: the one that `npm start` makes becomes one of the file. */
const save = ({ options, around }: Called, name: string, token: string): void => {
  const { name: _, ...connection } = connectionOf({ ...options, context: name }, around);
  const file = readContextFile(around);
  const kept = { ...connection, ...file.contexts[name] };
  const secret = options.serviceAccount === true ? { token } : { clientKey: token };
  writeContextFile(around, {
    ...file,
    current: file.current ?? localName,
    contexts: { ...file.contexts, [name]: { ...kept, project: options.project ?? kept.project, ...secret } },
  });
};

/** `ikg keys create`. */
export const command: CommandModule<[holder: string], Options> = {
  description: [
    "The key is printed this once, and nothing else on standard output. --save keeps it in the current context instead.",
  ],
  examples: [
    { does: "A key into a variable", command: "KEY=$(ikg keys create dispatch-agent)" },
    { does: "A key that ends in 90 days", command: "ikg keys create dispatch-agent --expires 90d > key" },
    { does: "The key of this computer", command: "ikg keys create dispatch-agent --save" },
  ],
  configure: (command) =>
    void addHolderOption(
      command
        .argument("<holder>", "name or gid of the application agent, or of the service account")
        .option("--display-name <text>", "what it is for")
        .option("--expires <period>", "how long it is valid: 12h, 90d; default: without an end", periodOf)
        .option("--replaces <id>", "with --service-account: ends that token after --overlap")
        .option(
          "--overlap <period>",
          "how long the replaced one stays valid: 1h, 7d; default: a day",
          periodOf,
        )
        .option("--save", "keeps it in the current context, and does not print it"),
    ),
  run: async (called) => {
    const { args, options, around, print } = called;
    const context = options.save === true ? contextToSave(called) : undefined;
    const { displayName, expires, replaces, overlap, serviceAccount } = options;
    if (
      (replaces !== undefined && serviceAccount !== true) ||
      (overlap !== undefined && replaces === undefined)
    )
      throw new CommandFault("--replaces is for --service-account, and --overlap for --replaces");
    const { record, token } = await credentialsOf(await openAdmin(called), options).create(args[0], {
      display_name: displayName,
      expire_time: expires === undefined ? undefined : new Date(Date.now() + expires).toISOString(),
      replaces,
      overlap_seconds: overlap === undefined ? undefined : Math.round(overlap / 1_000),
    });
    if (token === undefined)
      throw new CommandFault("the suite created a credential and did not show its key");
    if (context !== undefined) {
      save(called, context, token);
      await print.text(`The key is kept in the context ${context}.\n`, { id: record.id, context });
      return;
    }
    around.error("warning: the key is shown this once and cannot be read again: keep it now\n");
    await print.text(`${token}\n`, record);
  },
};
