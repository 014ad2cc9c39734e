import { basename, resolve } from "node:path";
import { type IkgAdmin, IkgError } from "@ikg/client";
import { formatDiagnostic } from "@ikg/sources";
import { openAdmin } from "../connection/clients.ts";
import { readWorld } from "../policy-tests/file/read-world.ts";
import type { Invocation } from "../program/command-module.ts";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";
import { typesOfGraph, typesOfSchema } from "./graph-types.ts";
import type { ModelSources } from "./project-model.ts";

type Call = Pick<Invocation, "options" | "environment">;

/** The sources of a project, with its name. */
export interface NamedSources {
  readonly name: string;
  readonly sources: ModelSources;
}

/** Reads the graph, policies and queries of a policy test file. */
export const sourcesOfFile = async (file: string, cwd: string): Promise<NamedSources> => {
  const { world, faults } = await readWorld(resolve(cwd, file), cwd);
  if (world === undefined) throw new CommandFault(faults.map(formatDiagnostic).join("\n"));
  const isActive = ({ status }: { readonly status: string }): boolean => status === "ACTIVE";
  const { nodes, relationships } = world.graph;
  return {
    name: world.name,
    sources: {
      policies: world.policies.filter(isActive),
      queries: world.queries.filter(isActive),
      graph: typesOfGraph({
        nodes: nodes.map(({ body }) => body),
        relationships: relationships.map(({ body }) => body),
      }),
    },
  };
};

const textOf = (content: unknown): string =>
  typeof content === "string" ? content : JSON.stringify(content ?? null);

const noGraph: ModelSources["graph"] = { nodes: new Map(), relationships: new Set() };

/** The reason for missing types of nodes, by the status of the response. */
const withoutGraph: Readonly<Record<number, string>> = {
  403: "the roles of the credential cannot read the data schema",
  404: "the graph has no nodes",
};

const readGraph = async (
  admin: IkgAdmin,
  environment: CommandEnvironment,
): Promise<ModelSources["graph"]> => {
  try {
    return typesOfSchema(await admin.graph.schema());
  } catch (error) {
    const reason = error instanceof IkgError ? withoutGraph[error.status] : undefined;
    if (reason === undefined) throw error;
    environment.error(`warning: types of nodes and relationships are missing: ${reason}\n`);
    return noGraph;
  }
};

/** Reads the ACTIVE policies and queries of a live project, and the types of its graph. */
export const sourcesOfProject = async (call: Call): Promise<NamedSources> => {
  const admin = await openAdmin(call);
  const { project_id: project, changes } = await admin.export();
  const active = changes.filter(({ record }) => record.status === "ACTIVE");
  const { name } = await admin.projects.get(project);
  return {
    name,
    sources: {
      policies: active.flatMap((each) =>
        each.collection === "authorization-policies"
          ? [{ name: each.name, text: textOf(each.record.policy) }]
          : [],
      ),
      queries: active.flatMap(({ name: query, ...each }) =>
        each.collection === "knowledge-queries"
          ? [{ name: query, policy: each.record.policy ?? "", text: textOf(each.record.query) }]
          : [],
      ),
      graph: await readGraph(admin, call.environment),
    },
  };
};

/** A type name: `AirField` for `air-field.ikg.yaml` or `air field`. */
export const typeNameOf = (name: string): string => {
  const words = basename(name)
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined : `Project${joined}`;
};
