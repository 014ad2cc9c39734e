/** Captures with more names than a project may have. */
import { type Credentials, withKey } from "../../requests/data-plane.ts";
import type { Answer } from "../../requests/send.ts";

/** A project may have fewer names than the default: names are never freed, and these tests share a database. */
export const nameLimits = { property_names: 60, relationship_types: 20, node_types: 20 };

export const names = (stem: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${stem}${at}`);

const capture = (
  collection: "nodes" | "relationships",
  items: readonly object[],
  by: Credentials,
): Promise<Answer> => withKey(`/capture/v1/${collection}`, by, { json: { [collection]: items } });

const withProperties = (external_id: string, types: readonly string[]) => ({
  type: "Person",
  external_id,
  properties: types.map((type) => ({ type, value: 1 })),
});

/** One node with properties of these names. */
export const captureProperties = (
  external_id: string,
  types: readonly string[],
  by: Credentials,
): Promise<Answer> => capture("nodes", [withProperties(external_id, types)], by);

/** 5,000 property names in one batch of 250 nodes. */
export const captureManyProperties = (by: Credentials): Promise<Answer> => {
  const keys = names("key", 5_000);
  const nodes = Array.from({ length: 250 }, (_, at) =>
    withProperties(`n${at}`, keys.slice(at * 20, (at + 1) * 20)),
  );
  return capture("nodes", nodes, by);
};

/** 250 relationship types in one batch, between nodes of the heavy tenant. */
export const captureManyRelationshipTypes = (by: Credentials): Promise<Answer> =>
  capture(
    "relationships",
    names("TYPE_", 250).map((type) => ({
      source: { type: "Person", external_id: "heavy" },
      target: { type: "Hub", external_id: "hub" },
      type,
    })),
    by,
  );

/** 250 node types in one batch. */
export const captureManyNodeTypes = (by: Credentials): Promise<Answer> =>
  capture(
    "nodes",
    names("Kind", 250).map((type) => ({ type, external_id: "one" })),
    by,
  );
