/** Passwords and keys of one suite: made once, kept in `$IKG_HOME/secrets.json` (mode 600), never printed. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Home } from "./home.ts";
import { shortPath, writePrivate } from "./home.ts";
import { newSigningKey } from "./signing-keys.ts";
import { UserError } from "../launch/user-error.mjs";

/** A password that no shell, URL or configuration file needs to quote, and no program takes for an option: letters and digits. */
const password = (): string => randomBytes(24).toString("hex");
const key = (): string => randomBytes(32).toString("base64");

/** Without one of these the data of a home cannot be read. */
const dataSecretGenerators = {
  neo4j_password: password,
  redis_password: password,
  config_encryption_key: key,
  credential_pepper: key,
} as const;

const generators = {
  ...dataSecretGenerators,
  token_sealing_key: key,
  gateway_signing_key: newSigningKey,
  mcp_signing_key: newSigningKey,
} as const;

export type Secrets = Readonly<Record<keyof typeof generators, string>>;

type Stored = Readonly<Record<string, string>>;

/** Adds what is missing: everything in a new home, and what an earlier release did not have yet. */
const complete = (stored: Stored): Secrets => {
  // Before 0.2 one key did the work of these; what it sealed stays readable.
  const { internal_context_key: former, ...kept } = stored;
  const sealing = former === undefined ? {} : { token_sealing_key: former };
  const made = Object.fromEntries(Object.entries(generators).map(([name, make]) => [name, make()]));
  return { ...(made as Secrets), ...sealing, ...kept }; // a generator for each name
};

const isStored = (value: unknown): value is Stored =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every((each) => typeof each === "string") &&
  Object.keys(dataSecretGenerators).every((name) => name in value);

const readStored = (home: Home): Stored | undefined => {
  let text: string;
  try {
    text = readFileSync(home.secretsFile, "utf8");
  } catch {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isStored(value)) return value;
  } catch {
    // The same refusal as for a file of another shape.
  }
  throw new UserError(
    `${shortPath(home.secretsFile)} is damaged. Restore it, or start with empty data: npm start -- --fresh`,
  );
};

/** @throws UserError when there is a file and it cannot be read: new secrets would not fit the data. */
export const readOrMakeSecrets = (home: Home): Secrets => {
  const stored = readStored(home) ?? {};
  const secrets = complete(stored);
  if (Object.keys(stored).sort().join() !== Object.keys(secrets).sort().join())
    writePrivate(home.secretsFile, secrets);
  return secrets;
};
