/** The settings of the services as values of the chart: which of them it takes, and their JSON schemas. */
import { z } from "zod";
import { serviceSettings } from "../services/service-settings.ts";
import type { JsonSchema } from "./chart-value.ts";
import { containerIn, deploymentOf, literalsOf, serviceManifests, treeAt } from "./manifests.ts";
import { isTree, textOf, type Tree } from "./template.ts";

/** One setting, with the services that have it. */
export interface ChartSetting {
  readonly name: string;
  readonly services: readonly string[];
  readonly default: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

const schemas = new Map<string, z.ZodObject>(Object.entries(serviceSettings));

export const isSetting = (name: string): boolean => [...schemas.values()].some(({ shape }) => name in shape);

const variablesOf = (service: string): readonly Tree[] => {
  const manifests = serviceManifests().get(service) ?? [];
  const { env } = containerIn(treeAt(deploymentOf(manifests), "spec", "template", "spec"));
  return Array.isArray(env) ? env.filter(isTree) : [];
};

/** Variables that pods have from Secrets, whatever the values say. */
const fromSecrets = (service: string): readonly string[] =>
  variablesOf(service).flatMap(({ name, value }) => (value === undefined ? [textOf(name)] : []));

/** Where pods listen and call each other is said by the manifests: ports are in probes, Services and policies, too. */
const ofManifests = new Set([
  "HOST",
  "PORT",
  "METRICS_PORT",
  ...Object.keys(literalsOf("base", "upstreams")),
]);

/** Numbers and texts as zod describes them; a flag may be a boolean besides. */
const schemaOf = (described: JsonSchema): JsonSchema => {
  const { default: _default, enum: values, ...rest } = described;
  if (values === undefined) return rest;
  const isFlag = JSON.stringify(values) === '["true","false"]';
  return isFlag
    ? { ...rest, type: ["boolean", "string"], enum: [true, false, ...(values as string[])] }
    : described;
};

/** As it would be written. */
const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** What a value of the chart may be for a setting of a service, in the order of its settings. */
const settingsOf = (service: string, schema: z.ZodObject): readonly Omit<ChartSetting, "services">[] => {
  const secrets = new Set(fromSecrets(service));
  const options = { io: "input", target: "draft-7", unrepresentable: "any" } as const;
  const { properties = {} } = z.toJSONSchema(schema, options);
  return Object.entries(properties).flatMap(([name, described]) => {
    if (typeof described === "boolean") return [];
    const { description = "", secret = false, ...rest } = described;
    if (secret === true || secrets.has(name) || ofManifests.has(name)) return [];
    const byDefault = described.default === undefined ? "" : asText(described.default);
    return [{ name, default: byDefault, description, schema: schemaOf({ description, ...rest }) }];
  });
};

const withoutDescription = ({ description: _description, ...schema }: JsonSchema): string =>
  JSON.stringify(schema);

/**
 * Every setting that values may give, each once, as the first service describes it.
 *
 * @throws Error where two services have one of the same name and different values
 */
export const chartSettings = (): readonly ChartSetting[] => (known ??= readSettings());

let known: readonly ChartSetting[] | undefined;

const readSettings = (): readonly ChartSetting[] => {
  const all = new Map<string, ChartSetting>();
  for (const [service, schema] of schemas)
    for (const setting of settingsOf(service, schema)) {
      const known = all.get(setting.name);
      if (known !== undefined && withoutDescription(known.schema) !== withoutDescription(setting.schema))
        throw new Error(`${setting.name} of ${service} is not that of ${known.services.join(", ")}`);
      all.set(setting.name, { ...setting, ...known, services: [...(known?.services ?? []), service] });
    }
  return [...all.values()];
};

/** Settings that the container of a service has as variables with a text. */
const literalsIn = (service: string): ReadonlyMap<string, string> =>
  new Map(
    variablesOf(service).flatMap(({ name, value }) =>
      value !== undefined && isSetting(textOf(name)) ? [[textOf(name), textOf(value)] as const] : [],
    ),
  );

/** Those of every service, with one value. */
const commonLiterals = (): ReadonlyMap<string, string> => {
  const [first = new Map<string, string>(), ...others] = [...serviceManifests().keys()].map(literalsIn);
  return new Map([...first].filter(([name, value]) => others.every((each) => each.get(name) === value)));
};

/** As the schema of the setting has it: a number where it is one. */
const typed = (values: Iterable<readonly [string, string]>): Readonly<Record<string, string | number>> => {
  const schemas = new Map(chartSettings().map(({ name, schema }) => [name, schema]));
  const isNumber = (name: string): boolean =>
    ["integer", "number"].includes(String(schemas.get(name)?.["type"]));
  return Object.fromEntries(
    [...values].map(([name, value]) => [name, isNumber(name) ? Number(value) : value]),
  );
};

/** What the manifests set for every service: in their ConfigMap, or as variables. */
export const settingDefaults = (): Readonly<Record<string, string | number>> =>
  typed([
    ...Object.entries(literalsOf("base", "settings")).filter(([name]) => !ofManifests.has(name)),
    ...commonLiterals(),
  ]);

/** What they set for one service. */
export const ownSettings = (service: string): Readonly<Record<string, string | number>> => {
  const common = commonLiterals();
  return typed([...literalsIn(service)].filter(([name]) => !common.has(name)));
};

/** What the ConfigMap of all services says whatever the values are. */
export const fixedSettings = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(literalsOf("base", "settings")).filter(([name]) => ofManifests.has(name)),
  );
