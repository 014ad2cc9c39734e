import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "@jest/globals";
import { connectGraph, type Graph } from "@ikg/graph";
import { graphSettings } from "@ikg/service";
import { readCredentialFile, writeCredentialFile } from "../src/bootstrap/credential-file.ts";
import { type FirstCredential, firstCredential } from "../src/bootstrap/first-credential.ts";
import { environmentOfProcess, settingsOfTest } from "./environment.ts";

export let graph: Graph;
/** Of credential files. */
export let folder: string;
export const pepper = randomBytes(32);
let count = 0;
const slots: string[] = [];
const options = { timeoutMs: 80_000 };

export const edit = (text: string, params: Readonly<Record<string, unknown>>) =>
  graph.shared.write((tx) => tx.run(text, params), options);

export const expireText =
  "MATCH (c:_Record {unique_key: $slot + '/credential'}) SET c.expire_time = '2020-01-01T00:00:00.000Z'";

/** A bootstrap of its own: other organizations of the database are not touched. */
export const newSlot = () => {
  const slot = `bootstrap-test/${randomBytes(8).toString("hex")}`;
  const file = join(folder, `${count++}.json`);
  slots.push(slot);
  const run = (
    givenToken?: string,
    { key = pepper, renew = false }: { readonly key?: Uint8Array; readonly renew?: boolean } = {},
  ): Promise<FirstCredential> =>
    firstCredential(graph.shared, {
      organizationName: "default",
      pepper: key,
      givenToken,
      renew,
      slot,
      recorded: true,
      heldToken: async () => (await readCredentialFile(file))?.service_account_token,
      deliver: ({ organizationId, serviceAccountId, token }) =>
        writeCredentialFile(file, {
          base_url: "http://x",
          organization_id: organizationId,
          service_account_id: serviceAccountId,
          service_account_token: token,
        }),
    });
  const records = async (): Promise<Record<string, unknown>[]> => {
    const rows = await graph.shared.read(
      "MATCH (o:_Record {unique_key: $slot}) MATCH (r:_Record {organization_id: o.id}) " +
        "OPTIONAL MATCH (r)-[:_PART_OF]->(p) RETURN r.kind AS kind, r.name AS name, r.kid AS kid, r.data AS data, r.content_bytes AS bytes, " +
        "p.kind AS parent ORDER BY r.kind",
      { slot },
      options,
    );
    return rows.map((row) => ({ ...row }));
  };
  return { slot, file, run, records };
};

/** Runs the command. */
export const command = (
  env: Readonly<Record<string, string>>,
  file = join(folder, "never.json"),
): Promise<{ readonly stdout: string; readonly stderr: string }> =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, "../src/bootstrap.ts"), "--out", file], {
    env: { ...environmentOfProcess(), ...env },
  });

/** Gives the tests of a file the database, and a folder of their own. */
export const useBootstrap = (): void => {
  beforeAll(async () => {
    graph = connectGraph(graphSettings(settingsOfTest()));
    await graph.prepare();
    folder = await mkdtemp(join(tmpdir(), "bootstrap-"));
  });
  afterAll(async () => {
    await edit(
      "UNWIND $slots AS slot MATCH (o:_Record {unique_key: slot}) MATCH (r:_Record {organization_id: o.id}) DETACH DELETE r",
      { slots },
    );
    await graph.close();
    await rm(folder, { recursive: true });
  });
};
