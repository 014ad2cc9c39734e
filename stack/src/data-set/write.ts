/**
 * Writes the data set of a release:
 *
 *   node stack/src/data-set/write.ts FILE RELEASE [TREE]
 *
 * The services of the tree, by default this one, run on a Neo4j and a Redis of their own.
 */
import { execFileSync } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { say } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { Interrupted, runCommand } from "../command.ts";
import { watchInterruption, whenAborted } from "../interruption.ts";
import { newSigningKey, publicKeyOf } from "../signing-keys.ts";
import { type Killable, openKillable } from "../testing/servers/killable.ts";
import { startRedis, type TestRedis } from "../testing/servers/test-redis.ts";
import { type DataSet, unversioned, writeDataSet } from "./data-set.ts";
import { dumpDatabase } from "./database.ts";
import { populate } from "./populate.ts";
import { openSuiteOfTrees, thisTree } from "./suite-of.ts";

const key = (): string => randomBytes(32).toString("base64");

/** Keys of a deployment that is upgraded from the release, as docs/upgrading.md, "What a release needs", wants them. */
const keysFor = (release: string): Readonly<Record<string, string>> => {
  const [gateway, mcp, sealing] = [newSigningKey(), newSigningKey(), key()];
  return {
    GATEWAY_SIGNING_KEY: gateway,
    GATEWAY_PUBLIC_KEYS: publicKeyOf(gateway),
    MCP_SIGNING_KEY: mcp,
    MCP_PUBLIC_KEYS: publicKeyOf(mcp),
    TOKEN_SEALING_KEY: sealing,
    // The one key that services had in place of those above, until 0.2.0.
    ...(release === unversioned ? { INTERNAL_CONTEXT_KEY: sealing } : {}),
    CREDENTIAL_PEPPER: key(),
    CONFIG_ENCRYPTION_KEY: key(),
    AUDIT_PLATFORM_KEY_JWK: JSON.stringify(
      generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
    ),
  };
};

/** Makes the organization by the command of the tree. */
const bootstrap = (tree: string, variables: Readonly<Record<string, string>>) => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-data-set-"));
  try {
    const file = join(folder, "credential.json");
    execFileSync(process.execPath, [join(tree, "services/configs/src/bootstrap.ts"), "--out", file], {
      env: { PATH: process.env["PATH"], ...variables },
      stdio: "inherit",
    });
    // Written by the command, with this shape.
    return JSON.parse(readFileSync(file, "utf8")) as {
      organization_id: string;
      service_account_token: string;
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** The commit whose services write it, or the tag of the release: what a release changes in the tree is tagged later. */
const commitOf = (release: string, tree: string): string =>
  release === unversioned
    ? execFileSync("git", ["rev-parse", "HEAD"], { cwd: tree, encoding: "utf8" }).trim()
    : `v${release}`;

/** @throws Interrupted once the signal is aborted */
const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  whenAborted(signal).then(() => {
    throw new Interrupted();
  });

/** Runs the services of the tree on empty stores, and fills them. @returns the data set without what is stored */
const fillStores = async (
  { neo4j, redis }: { readonly neo4j: Killable; readonly redis: TestRedis },
  release: string,
  tree: string,
  signal: AbortSignal,
): Promise<Omit<DataSet, "stored">> => {
  const variables = keysFor(release);
  const settings = {
    NEO4J_URI: neo4j.url,
    NEO4J_USERNAME: neo4j.username,
    NEO4J_PASSWORD: neo4j.password,
    REDIS_URL: redis.url,
    ...variables,
  };
  const { organization_id: organizationId, service_account_token: token } = bootstrap(tree, settings);
  const suite = await openSuiteOfTrees(settings);
  try {
    await suite.run(tree);
    const populated = populate({ url: suite.gateway, organizationId, token });
    const filled = await Promise.race([populated, rejectOnAbort(signal)]);
    return { release, commit: commitOf(release, tree), variables, organizationId, token, ...filled };
  } finally {
    // What waits in Redis is stored, and no process writes any more.
    await suite.close();
  }
};

const write = async (file: string, release: string, tree: string, signal: AbortSignal): Promise<string> => {
  const neo4j = await openKillable();
  try {
    if (signal.aborted) throw new Interrupted();
    const redis = await startRedis();
    try {
      const filled = await fillStores({ neo4j, redis }, release, tree, signal);
      const { url: uri, username, password } = neo4j;
      const stored = await dumpDatabase({ uri, username, password });
      if (signal.aborted) throw new Interrupted();
      mkdirSync(dirname(file), { recursive: true });
      writeDataSet(file, { ...filled, stored });
      return `${file}: ${filled.questions.length} questions, ${stored.length} lines`;
    } finally {
      await redis.close();
    }
  } finally {
    await neo4j.remove();
  }
};

await runCommand(async () => {
  const [file, release, tree = thisTree] = process.argv.slice(2);
  if (file === undefined || release === undefined) throw new UserError("write.ts FILE RELEASE [TREE]");
  // Neo4j would go on: it leads a process group of its own.
  const { signal } = watchInterruption();
  try {
    say(await write(resolve(file), release, resolve(tree), signal));
  } catch (error) {
    // Ctrl-C also ends the services, whose requests then fail.
    if (signal.aborted) throw new Interrupted();
    throw error;
  }
  return 0;
});
