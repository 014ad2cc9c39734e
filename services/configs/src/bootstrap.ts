import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Graph, DatabaseUnavailableError } from "@ikg/graph";
import { readSettings } from "@ikg/service";
import { type CredentialFile, readCredentialFile, writeCredentialFile } from "./bootstrap/credential-file.ts";
import {
  type DeliveredCredential,
  type FirstCredential,
  firstCredential,
} from "./bootstrap/first-credential.ts";
import { renewCommands } from "./bootstrap/renew-commands.ts";
import { BootstrapSettings } from "./bootstrap/settings.ts";
import { openDatabase } from "./commands/command-database.ts";
import { runCommand, sayAs } from "./commands/run-command.ts";

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
  { organizationId, serviceAccountId, token }: DeliveredCredential,
  { PUBLIC_URL }: BootstrapSettings,
): CredentialFile => ({
  base_url: PUBLIC_URL,
  organization_id: organizationId,
  service_account_id: serviceAccountId,
  service_account_token: token,
});

/** Makes the organization and its first credential, once; the token goes to the file, or to standard output. */
const bootstrap = async (settings: BootstrapSettings, { out, renew }: Options): Promise<void> => {
  const graph = openDatabase(settings);
  try {
    await prepared(graph);
    const outcome = await firstCredential(graph.shared, {
      organizationName: settings.BOOTSTRAP_ORG_NAME,
      pepper: settings.CREDENTIAL_PEPPER,
      slot: settings.BOOTSTRAP_SLOT,
      givenToken: settings.BOOTSTRAP_SA_TOKEN,
      recorded: settings.AUDIT_RECORDS,
      renew,
      heldToken: async () =>
        out === undefined ? undefined : (await readCredentialFile(out))?.service_account_token,
      deliver: async (delivered) => {
        if (out === undefined) return;
        const content = fileContent(delivered, settings);
        if (JSON.stringify(await readCredentialFile(out)) !== JSON.stringify(content))
          await writeCredentialFile(out, content);
      },
    });
    report(outcome, settings, out);
  } finally {
    await graph.close();
  }
};

/** What became of the credential, in words. */
const stateOf = ({ token, issued, isLive }: FirstCredential, out: string | undefined): string => {
  if (token !== undefined)
    return `${issued ? "a new credential was issued" : "everything is in place"}${out === undefined ? "" : `, see ${out}`}`;
  const state = isLive ? "it has a credential already" : "its first credential has expired or was deleted";
  const commands = Object.entries(renewCommands).map(([deployment, command]) => `${deployment}: ${command}`);
  return `${state}, nothing was changed; to issue another${isLive ? " and end that one" : ""}, ${commands.join(", ")}`;
};

const isDelivered = (outcome: FirstCredential): outcome is DeliveredCredential => outcome.token !== undefined;

const report = (outcome: FirstCredential, settings: BootstrapSettings, out: string | undefined): void => {
  sayAs("bootstrap")(`organization ${outcome.organizationId}, ${stateOf(outcome, out)}`);
  if (out !== undefined || !outcome.issued || settings.BOOTSTRAP_SA_TOKEN !== undefined) return;
  if (isDelivered(outcome)) process.stdout.write(`${JSON.stringify(fileContent(outcome, settings))}\n`);
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
