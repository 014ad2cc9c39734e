/** What the chart puts into Secrets that it makes, by what the manifests read from them. */
import { serviceSettings } from "../services/service-settings.ts";
import { passwordVariable, variablePrefix } from "../stores/redis-users.ts";
import { services } from "../services/service-names.ts";
import { keysOfService } from "../services/variables.ts";
import { newSigningKey, publicKeyOf } from "../signing-keys.ts";
import { readManifests, serviceManifests } from "./manifests.ts";
import { isTree, type Node, textOf } from "./template.ts";

type Recipe =
  | { readonly make: "key" | "password" | "signing-key"; readonly formerly?: string }
  | { readonly publicOf: string }
  | { readonly text: string };

/** Of the stores inside: their addresses and users are known. Every service is a user of Redis. */
const ofStores: Readonly<Record<string, Recipe>> = {
  NEO4J_USERNAME: { text: "neo4j" },
  NEO4J_PASSWORD: { make: "password" },
  REDIS_PASSWORD: { make: "password" },
  ...Object.fromEntries(services.map((name) => [passwordVariable(name), { make: "password" }])),
  ...Object.fromEntries(
    services.map((name) => [
      `${variablePrefix(name)}_REDIS_URL`,
      { text: `redis://${name}:$(${passwordVariable(name)})@redis:6379` },
    ]),
  ),
};

interface Reference {
  readonly secret: string;
  readonly key: string;
}

/** The entries of Secrets without which a pod does not start. */
const requiredIn = (node: Node): readonly Reference[] => {
  if (Array.isArray(node)) return node.flatMap(requiredIn);
  if (!isTree(node)) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key !== "secretKeyRef" || !isTree(value)) return requiredIn(value);
    if (value["optional"] === true) return [];
    return [{ secret: textOf(value["name"]), key: textOf(value["key"]) }];
  });
};

const required = (secret: string): readonly string[] => {
  const manifests = [
    ...[...serviceManifests().values()].flat(),
    ...readManifests("overlays/local/stores.yaml"),
  ];
  const references = manifests.flatMap(requiredIn).filter((each) => each.secret === secret);
  return [...new Set(references.map(({ key }) => key))];
};

/** Whether every service that has the setting takes a value for it. */
const isTaken = (name: string, value: string): boolean => {
  const fields = Object.values(serviceSettings).flatMap(({ shape }) => {
    const field = Object.entries(shape).find(([each]) => each === name)?.[1];
    return field === undefined ? [] : [field];
  });
  return fields.length > 0 && fields.every((field) => field.safeParse(value).success);
};

const signingKey = newSigningKey();

/** What it seals stays valid: an entry of a release before 0.2.0 goes on under its name of today. */
const formerNames: Readonly<Record<string, string>> = { TOKEN_SEALING_KEY: "INTERNAL_CONTEXT_KEY" };

const randomKey = (name: string): Recipe => {
  const formerly = formerNames[name];
  return formerly === undefined ? { make: "key" } : { make: "key", formerly };
};

/** What a key may be, by an example. */
const kinds: readonly (readonly [example: string, recipe: (name: string) => Recipe])[] = [
  [Buffer.alloc(32, 1).toString("base64"), randomKey],
  [signingKey, () => ({ make: "signing-key" })],
  [publicKeyOf(signingKey), (name) => ({ publicOf: name.replace(/_PUBLIC_KEYS$/, "_SIGNING_KEY") })],
];

/** @throws Error for an entry that nothing here can make */
const keyRecipe = (name: string): Recipe => {
  const found = kinds.find(([example]) => isTaken(name, example));
  if (found === undefined) throw new Error(`say in stack/src/helm/secrets.ts how the chart makes ${name}`);
  return found[1](name);
};

const storeRecipe = (name: string): Recipe => {
  const recipe = ofStores[name];
  if (recipe === undefined) throw new Error(`say in stack/src/helm/secrets.ts how the chart makes ${name}`);
  return recipe;
};

/** Entries that refer to others come after them. */
const isDerived = (recipe: Recipe): boolean => !("make" in recipe);

const recipes = (
  names: readonly string[],
  recipe: (name: string) => Recipe,
): Readonly<Record<string, Recipe>> =>
  Object.fromEntries(
    [...new Set(names)]
      .map((name) => [name, recipe(name)] as const)
      .toSorted(([, a], [, b]) => Number(isDerived(a)) - Number(isDerived(b))),
  );

export const wantedSecrets = () => ({
  // Some are optional in the manifests: not every service needs them to start.
  keys: recipes([...required("ikg-keys"), ...Object.values(keysOfService).flat()], keyRecipe),
  stores: recipes(required("ikg-stores"), storeRecipe),
});
