/** What the chart puts into Secrets that it makes, by what the manifests read from them. */
import { serviceSettings } from "../../../docs/service-settings.ts";
import { readManifests, serviceManifests } from "./manifests.ts";
import { isTree, type Node, textOf } from "./template.ts";

type Recipe = { readonly make: "key" | "password" } | { readonly text: string };

/** Of the stores inside: their addresses and users are known. */
const ofStores: Readonly<Record<string, Recipe>> = {
  NEO4J_USERNAME: { text: "neo4j" },
  NEO4J_PASSWORD: { make: "password" },
  REDIS_PASSWORD: { make: "password" },
  REDIS_URL: { text: "redis://:$(REDIS_PASSWORD)@redis:6379" },
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

const sample = Buffer.alloc(32, 1).toString("base64");

/** Whether every service that has the setting takes 32 bytes in base64 for it. */
const isKey = (name: string): boolean => {
  const fields = Object.values(serviceSettings).flatMap(({ shape }) => {
    const field = Object.entries(shape).find(([each]) => each === name)?.[1];
    return field === undefined ? [] : [field];
  });
  return fields.length > 0 && fields.every((field) => field.safeParse(sample).success);
};

/** @throws Error for an entry that nothing here can make */
const keyRecipe = (name: string): Recipe => {
  if (isKey(name)) return { make: "key" };
  throw new Error(`say in stack/src/helm/secrets.ts how the chart makes ${name}`);
};

const storeRecipe = (name: string): Recipe => {
  const recipe = ofStores[name];
  if (recipe === undefined) throw new Error(`say in stack/src/helm/secrets.ts how the chart makes ${name}`);
  return recipe;
};

const recipes = (secret: string, recipe: (name: string) => Recipe): Readonly<Record<string, Recipe>> =>
  Object.fromEntries(required(secret).map((name) => [name, recipe(name)]));

/** Entries that refer to others come after them. */
const inOrder = (all: Readonly<Record<string, Recipe>>): Readonly<Record<string, Recipe>> =>
  Object.fromEntries(
    Object.entries(all).toSorted(([, a], [, b]) => Number("text" in a) - Number("text" in b)),
  );

export const wantedSecrets = () => ({
  keys: recipes("ikg-keys", keyRecipe),
  stores: inOrder(recipes("ikg-stores", storeRecipe)),
});
