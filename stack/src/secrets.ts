/** Passwords and keys of one suite: made once, kept in `$IKG_HOME/secrets.json` (mode 600), never printed. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Home } from "./home.ts";
import { shortPath, writePrivate } from "./home.ts";
import { Refusal } from "../launch/refusal.mjs";

const names = [
  "neo4j_password",
  "redis_password",
  "config_encryption_key",
  "credential_pepper",
  "internal_context_key",
] as const;

export type Secrets = Readonly<Record<(typeof names)[number], string>>;

/** A password that no shell, URL or configuration file needs to quote, and no program takes for an option: letters and digits. */
const password = (): string => randomBytes(24).toString("hex");
const key = (): string => randomBytes(32).toString("base64");

const makeSecrets = (): Secrets => ({
  neo4j_password: password(),
  redis_password: password(),
  config_encryption_key: key(),
  credential_pepper: key(),
  internal_context_key: key(),
});

const isSecrets = (value: unknown): value is Secrets =>
  typeof value === "object" &&
  value !== null &&
  names.every((name) => name in value && typeof Reflect.get(value, name) === "string");

/** @throws Refusal when there is a file and it cannot be read: new secrets would not fit the data. */
export const readOrMakeSecrets = (home: Home): Secrets => {
  let text: string;
  try {
    text = readFileSync(home.secretsFile, "utf8");
  } catch {
    const secrets = makeSecrets();
    writePrivate(home.secretsFile, secrets);
    return secrets;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isSecrets(value)) return value;
  } catch {
    // The same refusal as for a file of another shape.
  }
  throw new Refusal(
    `${shortPath(home.secretsFile)} is damaged. Restore it, or start with empty data: npm start -- --fresh`,
  );
};
