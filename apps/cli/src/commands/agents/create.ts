import type { IkgAdmin, NewApplicationAgent } from "@ikg/client";
import { InvalidArgumentError } from "commander";
import { openAdmin } from "../../connection/clients.ts";
import type { CommandModule } from "../../program/command-module.ts";

type Permission = NewApplicationAgent["api_permissions"][number];

/** Permissions of agents, with their purpose. */
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
    throw new InvalidArgumentError(
      `unknown permission ${wrong}; expected: ${Object.keys(permissions).join(", ")}.`,
    );
  return [...(before ?? []), ...given.filter(isPermission)];
};

/** The id of an application by name; creates the application if it does not exist. */
const applicationId = async (admin: IkgAdmin, name: string): Promise<string> => {
  const found = (await admin.applications.list()).find((each) => each.name === name || each.id === name);
  return (found ?? (await admin.applications.create({ name }))).id;
};

/** `ikg agents create`. */
export const command: CommandModule<[name: string], Options> = {
  description: [
    "The application is created if it does not exist. Permissions: " +
      Object.entries(permissions)
        .filter(([, what]) => what !== "")
        .map(([name, what]) => `${name} (${what})`)
        .join(", ") +
      ".",
    "Create a key for the agent with ikg keys create NAME.",
  ],
  examples: [
    {
      purpose: "Create an agent for decisions and explanations",
      command: "ikg agents create tower --permission Authorization,ReadAuthZConfigs",
    },
  ],
  configure: (command) =>
    void command
      .argument("<name>", "name of the agent")
      .option("--application <name>", "application of the agent; default: the name of the agent")
      .option(
        "--permission <names>",
        "comma-separated permissions; default: Authorization,ContXIQ,Capture",
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
