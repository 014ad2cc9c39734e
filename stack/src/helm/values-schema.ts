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

const reference = (name: string) => [name, { $ref: `#/definitions/setting/${name}` }] as const;

const service = (name: string): JsonSchema => {
  const own = chartSettings().filter(({ services }) => services.includes(name));
  const shape = nested(serviceShape())["properties"] as JsonSchema; // of an object
  const settings = {
    description: "Settings of this service alone.",
    ...object(Object.fromEntries(own.map((each) => reference(each.name)))),
  };
  return object({ ...shape, settings });
};

const embedded = (flag: boolean): JsonSchema => ({
  properties: { stores: { properties: { embedded: { const: flag } } } },
});
const hasUri: JsonSchema = { properties: { settings: { required: ["NEO4J_URI"] } } };

/** What belongs together: where the stores are, and that there is an address; an Ingress, and its host. */
const rules: readonly JsonSchema[] = [
  { if: embedded(false), then: hasUri, else: { not: hasUri } },
  {
    if: { properties: { ingress: { properties: { enabled: { const: true } } } } },
    then: { properties: { ingress: { properties: { host: { minLength: 1 } } } } },
  },
];

export const valuesSchema = (): JsonSchema => {
  const settings = chartSettings();
  const values = nested(chartValues());
  const services = Object.keys(valuesOfServices()).map((name) => [name, service(name)] as const);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...values,
    properties: {
      ...(values["properties"] as JsonSchema), // of an object
      services: object(Object.fromEntries(services)),
      // Helm gives it to every chart that another one depends on.
      global: { type: "object" },
    },
    allOf: rules,
    definitions: {
      settings: object(Object.fromEntries(settings.map(({ name }) => reference(name)))),
      setting: Object.fromEntries(settings.map(({ name, schema }) => [name, schema])),
    },
  };
};
