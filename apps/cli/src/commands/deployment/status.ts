import type { IkgAdmin, ProjectRecord } from "@ikg/client";
import manifest from "../../../package.json" with { type: "json" };
import { openAdmin, signedIn } from "../../connection/clients.ts";
import { type Connection, connectionOf } from "../../connection/connection.ts";
import { type Counts, countsOf } from "../../deployment/counts.ts";
import { serviceStates, type ServiceState } from "../../deployment/services.ts";
import { suiteVersion } from "../../deployment/suite-version.ts";
import type { Print } from "../../output/print.ts";
import { tableOf } from "../../output/table.ts";
import type { CommandModule, Invocation } from "../../program/command-module.ts";

type Administrator = Awaited<ReturnType<IkgAdmin["administrator"]>>;

interface Status {
  /** Version of this program. */
  readonly version: string;
  /** Version of the gateway; undefined if it does not report it. */
  readonly suite_version: string | undefined;
  readonly context: string | undefined;
  readonly url: string;
  readonly services: Readonly<Record<string, ServiceState>>;
  /** Who calls, and with which roles. */
  readonly administrator?: Administrator | undefined;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  readonly project_id?: string | undefined;
  /** The effective limits, and those that are set on the project itself. */
  readonly limits?: ProjectRecord["effective_limits"] | undefined;
  readonly own_limits?: ProjectRecord["limits"] | undefined;
  readonly counts?: Counts | undefined;
}

const projectOf = async (admin: IkgAdmin, { project }: Connection): Promise<ProjectRecord | undefined> => {
  if (project !== undefined) return admin.projects.get(project);
  const [only, ...others] = await admin.projects.list();
  return others.length === 0 ? only : undefined;
};

/** The fields that require a token; empty without one. */
const statusOfAdministration = async (call: Invocation, connection: Connection): Promise<Partial<Status>> => {
  if (connection.token === undefined) return {};
  const admin = await openAdmin(call);
  const [administrator, organization, project] = await Promise.all([
    // Suites before 0.2 do not say it.
    admin.administrator().catch(() => undefined),
    admin.organization(),
    projectOf(admin, connection),
  ]);
  if (project === undefined) return { administrator, organization: organization.name };
  // Not every role can read statistics, and an empty graph has none.
  const schema = await admin.graph.schema({ project: project.id }).catch(() => undefined);
  return {
    administrator,
    organization: organization.name,
    project: project.name,
    project_id: project.id,
    limits: project.effective_limits,
    own_limits: project.limits ?? {},
    counts: await countsOf(await openAdmin(call, project.id), schema),
  };
};

/** Its name, and its roles with the projects over which it has them. */
const administratorText = (administrator: Administrator): string => {
  const name = administrator.type === "user" ? (administrator.name ?? administrator.sub) : administrator.name;
  const roles = administrator.roles.map(({ role, project_id: project }) =>
    project === undefined ? role : `${role} of ${project}`,
  );
  return `${name}, ${administrator.type.replace("_", " ")}: ${roles.join(", ")}`;
};

/** The limits that are set on the project itself. */
const limitsText = (own: NonNullable<ProjectRecord["limits"]>): string => {
  const stated = Object.entries(own).map(([name, value]) => `${name} ${value}`);
  return stated.length === 0
    ? "installation defaults"
    : `${stated.join(", ")}; otherwise installation defaults`;
};

const textOf = (status: Status, { style, width }: Print): string => {
  const {
    version,
    suite_version,
    context,
    url,
    administrator,
    services,
    organization,
    project,
    project_id,
    own_limits,
    counts = {},
  } = status;
  const marks: Readonly<Record<ServiceState, string>> = {
    up: style("good", "up"),
    down: style("bad", "down"),
    unknown: style("attention", "unknown: no credential for it"),
  };
  const rows = [
    ["deployment", context === undefined ? url : `${context}, ${url}`],
    ...Object.entries(services).map(([name, state]) => [name, state]),
    ...(administrator === undefined ? [] : [["administrator", administratorText(administrator)]]),
    ["organization", organization ?? "unknown: no token"],
    ["project", project === undefined ? "not set: use --project" : `${project}, ${project_id}`],
    ...(own_limits === undefined ? [] : [["limits", limitsText(own_limits)]]),
    ...Object.entries(counts).filter(([, count]) => count !== undefined),
    ["suite", suite_version ?? "unknown"],
    ["ikg", version],
  ];
  const text = tableOf(["WHAT", "STATE"], rows, { style, width });
  return text.replace(
    /^(\S+ +)(up|down|unknown)$/gm,
    (_, name: string, state: ServiceState) => name + marks[state],
  );
};

/** `ikg status`. */
export const command: CommandModule = {
  description: [
    "Requests the state of each service through the gateway, with the credentials of the context. The state is unknown if no credential gives access to the service.",
  ],
  examples: [
    { purpose: "Check all services", command: "ikg status" },
    {
      purpose: "Use the state of a service in a script",
      command: "ikg status -o json | jq -r .services.access",
    },
  ],
  exitCodes: { 0: "no service is known to be down", 1: "a service is down" },
  run: async (call) => {
    const connection = await signedIn(connectionOf(call.options, call.environment), call.environment);
    const [services, suite] = await Promise.all([serviceStates(connection), suiteVersion(connection)]);
    const isReachable = services["gateway"] === "up" && services["configs"] !== "down";
    const status: Status = {
      version: manifest.version,
      suite_version: suite,
      context: connection.name,
      url: connection.url,
      services,
      ...(isReachable ? await statusOfAdministration(call, connection) : {}),
    };
    await call.print.text(textOf(status, call.print), status);
    return Object.values(services).includes("down") ? 1 : 0;
  },
};
