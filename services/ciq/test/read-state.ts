import type { Graph } from "@ikg/graph";
import {
  labelName,
  nodeField,
  projectLabel,
  type ProjectKey,
  quoteName,
  relationshipPropertyName,
} from "@ikg/physical";
import { options } from "./ciq-under-test.ts";
import type { EdgeState, GraphState, NodeState, PropertyState } from "./drawn-cases.ts";

type Fields = Readonly<Record<string, unknown>>;

const nodeState = (type: string, labels: readonly string[], fields: Fields): NodeState => {
  const state: NodeState = {
    labels: new Set(labels.filter((label) => label !== type)),
    identity: fields["is_identity"] === true,
    properties: new Map(),
  };
  for (const [name, stored] of Object.entries(fields)) {
    const field = nodeField(name);
    if (field === undefined || field.kind === "system" || field.kind === "property_time") continue;
    const property: PropertyState = state.properties.get(field.property) ?? { metadata: new Map() };
    // What the database holds under these keys is a scalar or a list of scalars.
    if (field.kind === "value") property.value = stored as never;
    else if (field.kind === "external_value") property.external = String(stored);
    else property.metadata.set(field.key, stored as never);
    state.properties.set(field.property, property);
  }
  return state;
};

/** What a project holds, as its owner sees it; nodes of the platform are left out. */
export const readState = async ({ shared }: Graph, pk: ProjectKey): Promise<GraphState> => {
  const label = quoteName(projectLabel(pk));
  const found = await shared.read(
    `MATCH (n:${label}) RETURN n._key AS key, n.type AS type, labels(n) AS labels, properties(n) AS fields`,
    {},
    options,
  );
  const ties = await shared.read(
    `MATCH (a:${label})-[r]->(b) RETURN a._key AS source, type(r) AS type, b._key AS target, properties(r) AS fields`,
    {},
    options,
  );
  const own = (key: unknown): string => String(key).replace(`${pk}/`, "");
  const nodes = new Map(
    found
      .filter(({ type }) => !String(type).startsWith("_"))
      .map(({ key, type, labels, fields }) => [
        own(key),
        nodeState(
          String(type),
          (labels as readonly string[]).flatMap((each) => labelName(each, pk) ?? []), // of labels()
          fields as Fields, // of properties()
        ),
      ]),
  );
  const edges = ties.map(({ source, type, target, fields }): EdgeState => ({
    source: own(source),
    type: String(type),
    target: own(target),
    properties: new Map(
      Object.entries(fields as Fields).flatMap(([name, value]) => {
        const property = relationshipPropertyName(name);
        return property === undefined ? [] : [[property, value as never]]; // as above
      }),
    ),
  }));
  return { nodes, edges: new Set(edges) };
};
