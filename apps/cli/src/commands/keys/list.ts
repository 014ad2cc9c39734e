import { openAdmin } from "../../connection/clients.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { addHolderOption, credentialsOf, type HolderOptions } from "./credentials.ts";

const stateOf = (expires: string | undefined): string =>
  expires === undefined ? "" : Date.parse(expires) < Date.now() ? `${expires} (expired)` : expires;

/** `ikg keys list`: lists the records of keys, not the keys. */
export const command: CommandModule<[holder: string | undefined], HolderOptions> = {
  description: ["Lists the records of keys. The suite does not store the keys themselves."],
  examples: [
    { purpose: "List the keys of all agents", command: "ikg keys list" },
    { purpose: "List the keys of one agent", command: "ikg keys list dispatch-agent" },
    { purpose: "List the keys of service accounts", command: "ikg keys list --service-account" },
  ],
  configure: (command) =>
    void addHolderOption(
      command.argument("[holder]", "name or gid of one agent or service account; default: all"),
    ),
  run: async (invocation) => {
    const { args, options, print } = invocation;
    const keys = await credentialsOf(await openAdmin(invocation), options).list(args[0]);
    await print.rows(
      keys,
      [
        { header: "HOLDER", value: ({ holder }) => holder, whole: true },
        { header: "NAME", value: ({ display_name }) => display_name, whole: true },
        { header: "CREATED", value: ({ create_time }) => create_time },
        { header: "EXPIRES", value: ({ expire_time }) => stateOf(expire_time) },
        ...(options.serviceAccount === true
          ? [
              {
                header: "LAST USED",
                value: ({ last_used = "" }: { readonly last_used?: string | undefined }) => last_used,
              },
            ]
          : []),
        { header: "ID", value: ({ id }) => id, whole: true },
      ],
      { none: "No keys." },
    );
  },
};
