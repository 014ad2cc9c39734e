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
import { newSigningKey, publicKeyOf } from "../signing-keys.ts";
import { openKillable } from "../testing/servers/killable.ts";
import { startRedis } from "../testing/servers/test-redis.ts";
import { unversioned, writeDataSet } from "./data-set.ts";
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

const write = async (file: string, release: string, tree: string): Promise<void> => {
  // What a release changes in the tree is committed with the data set, and tagged.
  const commit =
    release === unversioned
      ? execFileSync("git", ["rev-parse", "HEAD"], { cwd: tree, encoding: "utf8" }).trim()
      : `v${release}`;
  const neo4j = await openKillable();
  const redis = await startRedis();
  try {
    const variables = keysFor(release);
    const stores = {
      NEO4J_URI: neo4j.url,
      NEO4J_USERNAME: neo4j.username,
      NEO4J_PASSWORD: neo4j.password,
      REDIS_URL: redis.url,
    };
    const { organization_id: organizationId, service_account_token: token } = bootstrap(tree, {
      ...stores,
      ...variables,
    });
    const suite = await openSuiteOfTrees({ ...stores, ...variables });
    let filled;
    try {
      await suite.run(tree);
      filled = await populate({ url: suite.gateway, organizationId, token });
    } finally {
      // What waits in Redis is stored, and no process writes any more.
      await suite.close();
    }
    const stored = await dumpDatabase({ uri: neo4j.url, username: neo4j.username, password: neo4j.password });
    mkdirSync(dirname(file), { recursive: true });
    writeDataSet(file, { release, commit, variables, organizationId, token, ...filled, stored });
    process.stdout.write(`${file}: ${filled.questions.length} questions, ${stored.length} lines\n`);
  } finally {
    await redis.close();
    await neo4j.remove();
  }
};

const [file, release, tree = thisTree] = process.argv.slice(2);
if (file === undefined || release === undefined) throw new Error("write.ts FILE RELEASE [TREE]");
await write(resolve(file), release, resolve(tree));
