import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { permissions, recordDescriptions } from "@ikg/contracts";
import { make } from "../../src/configuration/collections.ts";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { createParents } from "../../src/configuration/parents.ts";
import { samplesOf } from "../../src/configuration/samples.ts";
import { freshName } from "../../src/fresh-name.ts";
import { long } from "../../src/long.ts";
import { openIkg } from "../../src/requests/clients.ts";
import { configs, ownAccount } from "../../src/requests/configs.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { fetchSchemathesis } from "../../src/schemathesis/fetch.ts";
import {
  clientKeyVariable,
  type Known,
  serviceAccountVariable,
  settingsFor,
  userTokenVariable,
} from "../../src/schemathesis/settings.ts";
import { type OwnSuite, startOwnSuite } from "../../src/suites/own-suite.ts";
import { createTokenIssuer } from "../../src/tokens/token-issuer.ts";

/**
 * Schemathesis over the document of the gateway: requests drawn from its schemas, right and wrong ones, with and without
 * credentials. On a suite of its own: the service account that it is given may delete everything of its organization.
 */
// Without the stateful phase: it follows gids of lists to DELETE, and so removes the records that the run needs.
const phases = "examples,coverage,fuzzing";
const examplesEach = "20";
const seed = "20261123";
const atMostSeconds = 420;

const folder = mkdtempSync(join(tmpdir(), "ikg-schemathesis-"));
let program = "";
const reasonNot = (): string | undefined => {
  if (!long(false, true)) return "npm run test:long has it";
  try {
    program = fetchSchemathesis(folder);
    return undefined;
  } catch (error) {
    return `schemathesis cannot be had of PyPI: ${error instanceof Error ? error.message.split("\n")[0] : ""}`;
  }
};
const reason = reasonNot();

/** Names in paths and bodies what there is: to read and change one record of each collection, to delete another one. */
const createKnown = async (): Promise<Known & { readonly key: string; readonly userToken: string }> => {
  const account = ownAccount();
  const parents = await createParents(account, freshName("schemathesis"));
  const { key } = await createAgent(parents.applicationId, permissions);
  const samples = await samplesOf(account, parents);
  const spare = await samplesOf(account, await createParents(account, freshName("schemathesis-spare")));
  const inPathOf: [string[], string][] = [];
  for (const { path, singular } of recordDescriptions)
    for (const [from, operations] of [
      [samples, ["read", "update"]],
      [spare, ["delete"]],
    ] as const) {
      const sample = from.find((each) => each.path === path);
      if (sample === undefined) throw new Error(`no sample of ${path}`);
      const { id } = await make(account, path, sample.body(freshName("sample")));
      inPathOf.push([operations.map((operation) => `${operation}_${singular}`), id]);
    }
  const nodes = [{ type: "Person", external_id: "ann" }];
  const { capture } = openIkg({ key });
  const { results } = await capture.nodes(nodes);
  // A line that does not say what it is: it is rejected.
  const { id: importId } = await capture.import(JSON.stringify(nodes[0]));
  const issuer = await createTokenIssuer(parents.projectId);
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  return {
    key,
    userToken: await issuer.sign("ann", { exp }),
    inPathOf: [
      ...inPathOf,
      [["read_organization"], account.organizationId],
      [["put_node"], results[0]?.id ?? ""],
      [["read_import", "list_rejected_lines", "cancel_import"], importId],
    ],
    named: {
      organization_id: account.organizationId,
      project_id: parents.projectId,
      application_id: parents.applicationId,
      application_agent_id: parents.agentId,
      service_account_id: parents.accountId,
      policy_id: parents.policyId,
      app_agent_id: parents.agentId,
      token_introspect_id: parents.introspectId,
    },
  };
};

interface Run {
  readonly code: number | string | null | undefined;
  readonly output: string;
}

/** Runs the tool without blocking the processes of the suite, which write to this one. */
const runProgram = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<Run> =>
  new Promise((resolve) => {
    const options = {
      cwd: folder,
      env: { ...process.env, ...env },
      maxBuffer: 2 ** 26,
      timeout: atMostSeconds * 1_000,
    };
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    );
  });

describe("schemathesis", () => {
  if (reason !== undefined) {
    rmSync(folder, { recursive: true });
    // oxlint-disable-next-line jest/no-disabled-tests -- it says why
    it.skip(`over the OpenAPI document: ${reason}`, () => undefined);
    return;
  }
  let suite: OwnSuite;
  beforeAll(async () => {
    suite = await startOwnSuite({ API_REFERENCE: "true" });
  }, 120_000);
  afterAll(async () => {
    await suite?.close();
    rmSync(folder, { recursive: true });
  }, 60_000);

  it(
    "finds no fault in what answers to the OpenAPI document",
    async () => {
      const { key, userToken, ...known } = await createKnown();
      const file = join(folder, "schemathesis.toml");
      writeFileSync(file, settingsFor(known));
      const { code, output } = await runProgram(
        [
          ...["--config-file", file, "run", `${suite.gateway}/openapi.json`, "--no-color"],
          ...["--phases", phases, "--seed", seed],
          ...["--max-examples", examplesEach],
          ...["--generation-database", "none"],
        ],
        {
          [clientKeyVariable]: key,
          [serviceAccountVariable]: ownAccount().token,
          [userTokenVariable]: userToken,
        },
      );
      if (code !== 0) throw new Error(`schemathesis ended with ${code}:\n${output}`);
      expect(output).toMatch(/^ {2}Tested: \d{2,}$/m);
      // The run has not removed what it stands on.
      expect((await configs("/organizations/current")).status).toBe(200);
      expect((await withKey("/ciq/v1/whoami", { key, bearer: userToken })).status).toBe(200);
    },
    (atMostSeconds + 120) * 1_000,
  );
});
