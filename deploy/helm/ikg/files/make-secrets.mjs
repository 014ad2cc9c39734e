/**
 * Makes the Secrets of an installation, and in Secrets that are there the entries that are missing. No entry is ever
 * replaced: what it protects would be lost. Runs in a pod, as a hook of the chart; needs nothing but Node.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * How an entry is made: 32 random bytes in base64, a password that needs no quotes anywhere, a private key (Ed25519, DER in
 * base64), the public key of another entry, or a text that may refer to other entries as `$(NAME)`. Where a Secret has the entry
 * by its name of a former release (`formerly`), that value is taken.
 *
 * @typedef {{ make: "key" | "password" | "signing-key", formerly?: string }} Made
 * @typedef {Made | { publicOf: string } | { text: string }} Recipe
 * @typedef {Readonly<Record<string, Readonly<Record<string, Recipe>>>>} Wanted entries by the names of Secrets
 * @typedef {{ address: string, token: string, namespace: string }} Access
 * @typedef {{ metadata: { resourceVersion: string }, data?: Record<string, string> }} Secret
 */

const tries = 5;

const makers = {
  key: () => randomBytes(32).toString("base64"),
  password: () => randomBytes(24).toString("hex"),
  "signing-key": () =>
    generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
};

const publicKeyOf = (/** @type {string} */ signingKey) => {
  const key = createPrivateKey({ key: Buffer.from(signingKey, "base64"), format: "der", type: "pkcs8" });
  return createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
};

/** @param {Recipe} recipe @param {(name: string) => string} entry */
const make = (recipe, entry) => {
  if ("text" in recipe) return recipe.text.replaceAll(/\$\((\w+)\)/g, (_, name) => entry(name));
  return "publicOf" in recipe ? publicKeyOf(entry(recipe.publicOf)) : makers[recipe.make]();
};

/**
 * What is missing in a Secret, as its `data` has it.
 *
 * @param {Readonly<Record<string, Recipe>>} recipes @param {Readonly<Record<string, string>>} data
 */
export const missingEntries = (recipes, data) => {
  /** @type {Record<string, string>} */
  const missing = {};
  /** Makes what is referred to first: Helm gives the recipes in the order of their names. @returns {string} */
  const entry = (/** @type {string} */ name) => {
    const encoded = missing[name] ?? data[name];
    if (encoded !== undefined) return Buffer.from(encoded, "base64").toString();
    const recipe = recipes[name];
    if (recipe === undefined) throw new Error(`no entry ${name} to refer to`);
    const former = "make" in recipe && recipe.formerly !== undefined && data[recipe.formerly];
    const value = former ? Buffer.from(former, "base64").toString() : make(recipe, entry);
    missing[name] = Buffer.from(value).toString("base64");
    return value;
  };
  for (const name of Object.keys(recipes)) entry(name);
  return missing;
};

/** @param {Access} access @param {string} method @param {string} path @param {object} [body] @param {string} [type] */
const call = async ({ address, token, namespace }, method, path, body, type = "application/json") => {
  const answer = await fetch(`${address}/api/v1/namespaces/${namespace}/secrets${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": type },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  return { status: answer.status, body: await answer.json() };
};

/**
 * @param {Access} access @param {string} name @param {Readonly<Record<string, Recipe>>} recipes
 * @returns {Promise<readonly string[] | undefined>} the entries that were made; undefined where it was changed by something else meanwhile
 */
const complete = async (access, name, recipes) => {
  const found = await call(access, "GET", `/${name}`);
  if (found.status !== 200 && found.status !== 404) throw new Error(`GET ${name}: ${found.status}`);
  const secret = found.status === 200 ? /** @type {Secret} */ (found.body) : undefined;
  const data = missingEntries(recipes, secret?.data ?? {});
  if (Object.keys(data).length === 0) return [];
  const metadata = { name, labels: { "app.kubernetes.io/part-of": "ikg" } };
  const { status } = secret
    ? await call(
        access,
        "PATCH",
        `/${name}`,
        { metadata: { resourceVersion: secret.metadata.resourceVersion }, data },
        "application/merge-patch+json",
      )
    : await call(access, "POST", "", { apiVersion: "v1", kind: "Secret", metadata, data });
  if (status === 409) return undefined;
  if (status >= 300) throw new Error(`writing ${name}: ${status}`);
  return Object.keys(data);
};

/** @param {Access} access @param {Wanted} wanted @param {(line: string) => void} say */
export const makeSecrets = async (access, wanted, say) => {
  for (const [name, recipes] of Object.entries(wanted)) {
    let made;
    for (let n = 0; made === undefined; n++) {
      if (n === tries)
        throw new Error(`the Secret ${name} was changed by something else during each of ${tries} attempts`);
      made = await complete(access, name, recipes);
    }
    say(made.length === 0 ? `Secret ${name}: complete` : `Secret ${name}: made ${made.join(", ")}`);
  }
};

if (import.meta.main) {
  const account = "/var/run/secrets/kubernetes.io/serviceaccount";
  const read = (/** @type {string} */ file) => readFileSync(`${account}/${file}`, "utf8").trim();
  const access = {
    address: "https://kubernetes.default.svc",
    token: read("token"),
    namespace: read("namespace"),
  };
  // What is thrown ends the process with an error.
  void makeSecrets(access, JSON.parse(process.env["WANTED"] ?? "{}"), (line) =>
    process.stdout.write(`${line}\n`),
  );
}
