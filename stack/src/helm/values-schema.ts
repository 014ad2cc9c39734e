/** `values.schema.json`, by which Helm refuses values that are unknown or of the wrong kind. */
import type { ChartValue, JsonSchema } from "./chart-value.ts";
import { valuesOfServices, serviceShape } from "./service-values.ts";
import { chartSettings } from "./settings.ts";
import { chartValues } from "./values.ts";

const object = (properties: JsonSchema): JsonSchema => ({
  type: "object",
  properties,
  additionalProperties: false,
});

/** One object for all values that begin with the same key. */
const nested = (values: readonly ChartValue[]): JsonSchema => {
  const byKey = Map.groupBy(values, ({ path }) => path[0] ?? "");
  return object(
    Object.fromEntries(
      [...byKey].map(([key, [first, ...others]]) => {
        if (first?.path.length === 1) return [key, { description: first.description, ...first.schema }];
        const inside = [first, ...others].filter((each) => each !== undefined);
        return [key, nested(inside.map((each) => ({ ...each, path: each.path.slice(1) })))];
      }),
    ),
  );
};

/** What stands below the name of a service: no settings but its own. */
const service = (name: string): JsonSchema => {
  const own = chartSettings().filter(({ services }) => services.includes(name));
  const settings = object(Object.fromEntries(own.map((each) => [each.name, true])));
  return { allOf: [{ $ref: "#/definitions/service" }, { properties: { settings } }] };
};

/** What stands below the names of services. */
const ofServices = (): JsonSchema => {
  const { properties } = nested(serviceShape());
  const settings = {
    description: "Settings of this service alone.",
    allOf: [{ $ref: "#/definitions/settings" }],
  };
  return object({ ...(properties as JsonSchema), settings }); // of an object
};

const embedded = (flag: boolean): JsonSchema => ({
  properties: { stores: { properties: { embedded: { const: flag } } } },
});
const hasUri: JsonSchema = { properties: { settings: { required: ["NEO4J_URI"] } } };

const hasUsers: JsonSchema = { properties: { neo4jUsers: { properties: { enabled: { const: true } } } } };

/** What belongs together: where the stores are, and that there is an address; users of a Neo4j of one's own; an Ingress, and its host. */
const rules: readonly JsonSchema[] = [
  { if: embedded(false), then: hasUri, else: { not: hasUri } },
  { if: hasUsers, then: embedded(false) },
  {
    if: { properties: { ingress: { properties: { enabled: { const: true } } } } },
    then: { properties: { ingress: { properties: { host: { minLength: 1 } } } } },
  },
];

export const valuesSchema = (): JsonSchema => {
  const { properties, ...values } = nested(chartValues());
  const services = Object.keys(valuesOfServices()).map((name) => [name, service(name)] as const);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...values,
    properties: {
      ...(properties as JsonSchema), // of an object
      services: object(Object.fromEntries(services)),
      // Helm gives it to every chart that another one depends on.
      global: { type: "object" },
    },
    allOf: rules,
    definitions: {
      service: ofServices(),
      settings: object(Object.fromEntries(chartSettings().map(({ name, schema }) => [name, schema]))),
    },
  };
};
