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

interface Status {
  /** Of this program. */
  readonly version: string;
  /** Of the gateway; undefined where it does not say. */
  readonly suite_version: string | undefined;
  readonly context: string | undefined;
  readonly url: string;
  readonly services: Readonly<Record<string, ServiceState>>;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  readonly project_id?: string | undefined;
  /** In force, and those of them that the project states itself. */
  readonly limits?: ProjectRecord["effective_limits"] | undefined;
  readonly own_limits?: ProjectRecord["limits"] | undefined;
  readonly counts?: Counts | undefined;
}

const projectOf = async (admin: IkgAdmin, { project }: Connection): Promise<ProjectRecord | undefined> => {
  if (project !== undefined) return admin.projects.get(project);
  const [only, ...others] = await admin.projects.list();
  return others.length === 0 ? only : undefined;
};

/** What the token of the service account shows; nothing without one. */
const administered = async (called: Invocation, connection: Connection): Promise<Partial<Status>> => {
  if (connection.token === undefined) return {};
  const admin = await openAdmin(called);
  const [organization, project] = await Promise.all([admin.organization(), projectOf(admin, connection)]);
  if (project === undefined) return { organization: organization.name };
  // Not every role reads statistics, and an empty graph has none.
  const schema = await admin.graph.schema({ project: project.id }).catch(() => undefined);
  return {
    organization: organization.name,
    project: project.name,
    project_id: project.id,
    limits: project.effective_limits,
    own_limits: project.limits ?? {},
    counts: await countsOf(await openAdmin(called, project.id), schema),
  };
};

/** The limits that a project has of its own. */
const limitsText = (own: NonNullable<ProjectRecord["limits"]>): string => {
  const stated = Object.entries(own).map(([name, value]) => `${name} ${value}`);
  return stated.length === 0 ? "the installation's" : `${stated.join(", ")}; others the installation's`;
};

const textOf = (status: Status, { style, width }: Print): string => {
  const {
    version,
    suite_version,
    context,
    url,
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
    unknown: style("attention", "not known: no credential opens it"),
  };
  const rows = [
    ["deployment", context === undefined ? url : `${context}, ${url}`],
    ...Object.entries(services).map(([name, state]) => [name, state]),
    ["organization", organization ?? "not known: no token"],
    ["project", project === undefined ? "not chosen: --project" : `${project}, ${project_id}`],
    ...(own_limits === undefined ? [] : [["limits", limitsText(own_limits)]]),
    ...Object.entries(counts).filter(([, count]) => count !== undefined),
    ["suite", suite_version ?? "not known"],
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
    "Each service is asked through the gateway, with the credentials of the context; what none of them opens is not known.",
  ],
  examples: [
    { does: "Is everything there?", command: "ikg status" },
    { does: "For a script", command: "ikg status -o json | jq -r .services.access" },
  ],
  exitCodes: { 0: "every service is up, as far as it is known", 1: "a service is down" },
  run: async (called) => {
    const connection = await signedIn(connectionOf(called.options, called.around), called.around);
    const [services, suite] = await Promise.all([serviceStates(connection), suiteVersion(connection)]);
    const isReachable = services["gateway"] === "up" && services["configs"] !== "down";
    const status: Status = {
      version: manifest.version,
      suite_version: suite,
      context: connection.name,
      url: connection.url,
      services,
      ...(isReachable ? await administered(called, connection) : {}),
    };
    await called.print.text(textOf(status, called.print), status);
    return Object.values(services).includes("down") ? 1 : 0;
  },
};
