import { basename, resolve } from "node:path";
import { Ikg, IkgAdmin, IkgError, IkgUnreachable } from "@ikg/client";
import type { DataSchema } from "@ikg/contracts";
import { formatFault } from "../policy-tests/file/fault.ts";
import { readWorld } from "../policy-tests/file/read-world.ts";
import { addressOf, type AddressOptions } from "../policy-tests/suite/address.ts";
import { CommandFault, type Surroundings } from "../surroundings.ts";
import { typesOfGraph, typesOfSchema } from "./graph-types.ts";
import type { ModelSources } from "./project-model.ts";

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

const readGraph = async (baseUrl: string, { environment }: Surroundings): Promise<ModelSources["graph"]> => {
  const clientKey = environment["IKG_CLIENT_KEY"];
  if (clientKey === undefined) return { nodes: new Map(), relationships: new Set() };
  const schema: DataSchema = await new Ikg({ baseUrl, clientKey }).dataSchema();
  return typesOfSchema(schema);
};

const readProject = async (
  project: string,
  { url, token }: { readonly url: string; readonly token: string },
  around: Surroundings,
): Promise<NamedSources> => {
  const admin = new IkgAdmin({ baseUrl: url, token, project });
  const { changes } = await admin.export();
  const active = changes.filter(({ record }) => record["status"] === "ACTIVE");
  const ofCollection = (collection: string) => active.filter((each) => each.collection === collection);
  const { name } = await admin.projects.get(project);
  return {
    name,
    sources: {
      policies: ofCollection("authorization-policies").map(({ name: policy, record }) => ({
        name: policy,
        text: textOf(record["policy"]),
      })),
      queries: ofCollection("knowledge-queries").map(({ name: query, record }) => ({
        name: query,
        policy: String(record["policy"]),
        text: textOf(record["query"]),
      })),
      graph: await readGraph(url, around),
    },
  };
};

/** A live project: its ACTIVE policies and queries, and with IKG_CLIENT_KEY what its graph has. */
export const sourcesOfProject = async (
  project: string,
  options: AddressOptions,
  around: Surroundings,
): Promise<NamedSources> => {
  try {
    return await readProject(project, addressOf(options, around), around);
  } catch (error) {
    if (error instanceof IkgError || error instanceof IkgUnreachable) throw new CommandFault(error.message);
    throw error;
  }
};

/** `air-field.ikg.yaml` or `air field` is `AirField`. */
export const typeNameOf = (name: string): string => {
  const words = basename(name)
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined : `Project${joined}`;
};
