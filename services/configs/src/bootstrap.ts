import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type ChangeAnnouncement, changesChannel } from "@ikg/contracts";
import { connectGraph, type Graph, DatabaseUnavailableError } from "@ikg/graph";
import { readSettings, redisClient } from "@ikg/service";
import { type CredentialFile, readCredentialFile, writeCredentialFile } from "./bootstrap/credential-file.ts";
import { type FirstCredential, firstCredential } from "./bootstrap/first-credential.ts";
import { BootstrapSettings } from "./bootstrap/settings.ts";
import { runCommand } from "./run-command.ts";

/** Tells running processes to let go of a credential that was replaced. */
const announceEnd = async (url: string, { organizationId, replaced }: FirstCredential): Promise<void> => {
  if (replaced === undefined) return;
  const redis = redisClient(url, { connectTimeout: 2_000, commandTimeout: 2_000, maxRetriesPerRequest: 1 });
  redis.on("error", () => undefined);
  const kind = "service_account_credential";
  const change: ChangeAnnouncement = {
    kind,
    ...replaced,
    organization_id: organizationId,
    action: "deleted",
  };
  try {
    await redis.publish(changesChannel, JSON.stringify(change));
  } catch {
    process.stderr.write("bootstrap: Redis is not reachable; the former token may work for 30 s more\n");
  } finally {
    redis.disconnect();
  }
};

/** A database that was started a moment ago may be too busy for the first try. */
const tries = 3;

/** Makes the constraints and indexes. */
const prepared = async (graph: Graph): Promise<void> => {
  for (let left = tries; ; left--) {
    try {
      await graph.prepare();
      return;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError) || left === 1) throw error;
      await wait(2_000);
    }
  }
};

interface Options {
  /** File of the credential; without one it goes to standard output. */
  readonly out: string | undefined;
  readonly renew: boolean;
}

const fileContent = (
  { organizationId, serviceAccountId }: FirstCredential,
  token: string,
  { PUBLIC_URL }: BootstrapSettings,
): CredentialFile => ({
  base_url: PUBLIC_URL,
  organization_id: organizationId,
  service_account_id: serviceAccountId,
  service_account_token: token,
});

/** Makes the organization and its first credential; the token goes to the file, or once to standard output. */
const bootstrap = async (settings: BootstrapSettings, { out, renew }: Options): Promise<void> => {
  const graph = connectGraph({
    uri: settings.NEO4J_URI,
    username: settings.NEO4J_USERNAME,
    password: settings.NEO4J_PASSWORD,
    database: settings.NEO4J_DATABASE,
  });
  try {
    await prepared(graph);
    const outcome = await firstCredential(graph.shared, {
      organizationName: settings.BOOTSTRAP_ORG_NAME,
      pepper: settings.CREDENTIAL_PEPPER,
      slot: settings.BOOTSTRAP_SLOT,
      givenToken: settings.BOOTSTRAP_SA_TOKEN,
      renew,
      heldToken: async () =>
        out === undefined ? undefined : (await readCredentialFile(out))?.service_account_token,
      deliver: async (delivered) => {
        if (out === undefined) return;
        const content = fileContent(delivered, delivered.token, settings);
        if (JSON.stringify(await readCredentialFile(out)) !== JSON.stringify(content))
          await writeCredentialFile(out, content);
      },
    });
    if (settings.REDIS_URL !== undefined) await announceEnd(settings.REDIS_URL, outcome);
    report(outcome, settings, out);
  } finally {
    await graph.close();
  }
};

/** What became of the credential, in words. */
const stateOf = ({ token, issued }: FirstCredential, out: string | undefined): string => {
  if (token === undefined)
    return "it has a credential already, nothing was changed; --renew issues another and ends that one";
  return `${issued ? "a new credential was issued" : "everything is in place"}${out === undefined ? "" : `, see ${out}`}`;
};

const report = (outcome: FirstCredential, settings: BootstrapSettings, out: string | undefined): void => {
  const { organizationId, token, issued } = outcome;
  process.stderr.write(`bootstrap: organization ${organizationId}, ${stateOf(outcome, out)}\n`);
  if (out !== undefined || !issued || token === undefined || settings.BOOTSTRAP_SA_TOKEN !== undefined)
    return;
  process.stdout.write(`${JSON.stringify(fileContent(outcome, token, settings))}\n`);
};

await runCommand("bootstrap", async () => {
  const { values } = parseArgs({
    options: {
      out: { type: "string" },
      renew: { type: "boolean", default: false },
      "print-settings": { type: "boolean" },
    },
  });
  await bootstrap(readSettings(BootstrapSettings), { out: values.out, renew: values.renew });
});
