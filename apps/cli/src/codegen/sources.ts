import { basename, resolve } from "node:path";
import { Ikg, IkgError } from "@ikg/client";
import type { DataSchema } from "@ikg/contracts";
import { formatFault } from "@ikg/sources";
import { openAdmin } from "../connection/clients.ts";
import { type Connection, connectionOf } from "../connection/connection.ts";
import { readWorld } from "../policy-tests/file/read-world.ts";
import type { Invocation } from "../program/command-module.ts";
import { CommandFault, type Surroundings } from "../surroundings.ts";
import { typesOfGraph, typesOfSchema } from "./graph-types.ts";
import type { ModelSources } from "./project-model.ts";

type Called = Pick<Invocation, "options" | "around">;

/** A project to be typed, and what it is called. */
export interface NamedSources {
  readonly name: string;
  readonly sources: ModelSources;
}

/** Graph, policies and queries of a file of policy tests. */
export const sourcesOfFile = async (file: string, cwd: string): Promise<NamedSources> => {
  const { world, faults } = await readWorld(resolve(cwd, file), cwd);
  if (world === undefined) throw new CommandFault(faults.map(formatFault).join("\n"));
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

const isForbidden = (error: unknown): boolean => error instanceof IkgError && error.status === 403;

/**
 * What the graph has, as far as a key shows it. That of the context is one for the context's own project, and need not have
 * the permission; one of IKG_CLIENT_KEY is there for this.
 */
const readGraph = async (
  { url, clientKey }: Connection,
  { project }: Pick<Called["options"], "project">,
  around: Surroundings,
): Promise<ModelSources["graph"]> => {
  const given = around.environment["IKG_CLIENT_KEY"] || undefined;
  const key = given ?? (project === undefined ? clientKey : undefined);
  if (key === undefined) return noGraph;
  try {
    const schema: DataSchema = await new Ikg({ baseUrl: url, clientKey: key }).dataSchema();
    return typesOfSchema(schema);
  } catch (error) {
    if (given !== undefined || !isForbidden(error)) throw error;
    around.error("warning: no types of the graph: the key of the context has no permission ReadDataSchema\n");
    return noGraph;
  }
};

/** A live project: its ACTIVE policies and queries, and what its graph has where there is a key. */
export const sourcesOfProject = async (called: Called): Promise<NamedSources> => {
  const admin = await openAdmin(called);
  const { project_id: project, changes } = await admin.export();
  const active = changes.filter(({ record }) => record.status === "ACTIVE");
  const { name } = await admin.projects.get(project);
  const { options, around } = called;
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
      graph: await readGraph(connectionOf(options, around), options, around),
    },
  };
};

/** `air-field.ikg.yaml` or `air field` is `AirField`. */
export const typeNameOf = (name: string): string => {
  const words = basename(name)
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined : `Project${joined}`;
};
