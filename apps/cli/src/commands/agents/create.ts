import type { IkgAdmin, NewApplicationAgent } from "@ikg/client";
import { InvalidArgumentError } from "commander";
import { openAdmin } from "../../connection/clients.ts";
import type { CommandModule } from "../../program/command-module.ts";

type Permission = NewApplicationAgent["api_permissions"][number];

/** What an agent may be permitted, with what it is for. */
const permissions: Readonly<Record<Permission, string>> = {
  Authorization: "decisions and searches",
  ContXIQ: "stored queries",
  Capture: "graph writes",
  ReadAuthZConfigs: "explanations, active policies",
  ReadDataSchema: "statistics of the graph",
  Audit: "audit records",
  EntityMatching: "",
  IKGRead: "",
  ReadGraph: "exports of the graph",
};

interface Options {
  readonly application?: string;
  readonly permission?: readonly Permission[];
}

const isPermission = (text: string): text is Permission => Object.hasOwn(permissions, text);

const collectPermission = (
  text: string,
  before: readonly Permission[] | undefined,
): readonly Permission[] => {
  const given = text.split(",");
  const wrong = given.find((each) => !isPermission(each));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`${wrong}: ${Object.keys(permissions).join(", ")} are permissions.`);
  return [...(before ?? []), ...given.filter(isPermission)];
};

/** The application of a name; a new one where the project has none. */
const applicationId = async (admin: IkgAdmin, name: string): Promise<string> => {
  const found = (await admin.applications.list()).find((each) => each.name === name || each.id === name);
  return (found ?? (await admin.applications.create({ name }))).id;
};

/** `ikg agents create`. */
export const command: CommandModule<[name: string], Options> = {
  description: [
    "The application is created where the project has none of its name. Permissions: " +
      Object.entries(permissions)
        .filter(([, what]) => what !== "")
        .map(([name, what]) => `${name} (${what})`)
        .join(", ") +
      ".",
    "A key for it: ikg keys create NAME.",
  ],
  examples: [
    {
      does: "An agent that asks and explains",
      command: "ikg agents create tower --permission Authorization,ReadAuthZConfigs",
    },
  ],
  configure: (command) =>
    void command
      .argument("<name>", "name of the agent")
      .option("--application <name>", "application that it belongs to; default: the name of the agent")
      .option(
        "--permission <names>",
        "permissions, by commas; default: Authorization,ContXIQ,Capture",
        collectPermission,
      ),
  run: async (invocation) => {
    const { args, options, print } = invocation;
    const [name] = args;
    const admin = await openAdmin(invocation);
    const application_id = await applicationId(admin, options.application ?? name);
    const api_permissions = options.permission ?? ["Authorization", "ContXIQ", "Capture"];
    await print.record(await admin.agents.create({ application_id, name, api_permissions }));
  },
};
