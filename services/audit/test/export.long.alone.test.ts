import { spawn, spawnSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { AuditRecord } from "@ikg/audit";
import { newRecord } from "@ikg/audit/testing";
import type { Gid } from "@ikg/contracts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { openTestBed, type TestBed, waitLimits } from "./audit-under-test.ts";

const program = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url));
const script = fileURLToPath(new URL("verify_export.py", import.meta.url));

interface Ended {
  readonly code: number;
  readonly out: string;
}

let bed: TestBed;
let folder: string;
let project: Gid;
let address: string;
let closeRelay: () => void;

const run = (name: string, args: readonly string[]): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(name, args, {
      env: { ...process.env, NODE_OPTIONS: "", IKG_CLIENT_KEY: "a-key", IKG_URL: address },
    });
    let out = "";
    child.stdout.on("data", (data: Buffer) => (out += data.toString()));
    child.stderr.on("data", (data: Buffer) => (out += data.toString()));
    child.once("error", reject).once("close", (code) => resolve({ code: code ?? -1, out }));
  });
const ikg = (...args: string[]): Promise<Ended> => run(process.execPath, [program, ...args]);
const hasPython = spawnSync("python3", ["-c", "import cryptography"]).status === 0;
if (!hasPython)
  process.stdout.write(
    "skipped: the independent verifier of exports, for want of python3 with its library cryptography\n",
  );
/** How the independent verifier ended; `expected` where it cannot run. */
const independent = (where: string, expected: Ended): Promise<Ended> =>
  hasPython ? run("python3", [script, where]) : Promise.resolve(expected);
/** Numbers that others than JavaScript write differently. */
const withNumbers = (chain: Gid): AuditRecord => ({
  ...newRecord(chain, ""),
  type: "audit.authorization.evaluation",
  data: {
    decision: true,
    input_params: {
      tenth: 0.1,
      small: 0.000001,
      smaller: 1e-7,
      negative: -2.5e-9,
      zero: -0,
      whole: 5e20,
      big: 1e21,
      bigger: -1.25e22,
      hundreds: 1234.5,
      least: 5e-324,
      most: Number.MAX_VALUE,
    },
  },
});
const verifiedWhole: Ended = { code: 0, out: "verified\n" };

beforeAll(async () => {
  bed = await openTestBed();
  folder = await mkdtemp(join(tmpdir(), "ikg-export-"));
  project = bed.project();
  const { url } = await bed.start({ AUDIT_CHECKPOINT_SECONDS: "1" });
  // Stands for the gateway: it knows who the key belongs to.
  const relay = createServer((request, response) => {
    const known = request.headers["x-svc-clientkey"] === "a-key" ? bed.agent(project) : undefined;
    void bed.ask(url, request.url ?? "", known).then(({ status, body }) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`; // it listens on a port
  closeRelay = () => relay.close();
  const names = Array.from({ length: 599 }, (_, index) => `record ${index} "ü" 😀 \u2028`);
  await bed.keep([withNumbers(project), ...names.map((name) => newRecord(project, name))]);
  await eventually(
    async () => {
      const { manifests, checkpoints, batches } = await bed.read(url, project);
      return {
        manifests: manifests.length,
        checkpoints: checkpoints.length,
        batchSizes: batches.map(({ data }) => data.length),
        differentRecords: new Set(batches.flatMap(({ data }) => data.map(({ id }) => id))).size,
      };
    },
    ({ checkpoints, batchSizes }) => checkpoints > 0 && batchSizes.length === 3,
    waitLimits,
  );
});
afterAll(async () => {
  closeRelay();
  await rm(folder, { recursive: true });
  await bed.close();
});

describe("ikg audit", () => {
  it("exports a chain that verifies, also by a program that knows docs/audit.md alone", async () => {
    const exported = join(folder, "whole");
    expect(await ikg("audit", "export", "--project", project, "--out", exported)).toMatchObject({ code: 0 });
    const verified = await ikg("audit", "verify", exported);
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.out).toContain("600 records in 3 batches (1 to 3)");
    expect(await independent(exported, verifiedWhole)).toEqual(verifiedWhole);
    const json = await ikg("audit", "verify", exported, "--json");
    expect(JSON.parse(json.out)).toMatchObject({ ok: true, project, events: 600, failed: [] });
    const online = await ikg("audit", "verify", "--project", project);
    expect([online.code, online.out]).toEqual([0, expect.stringContaining("Verified: ")]);
  });

  it.each([
    ["batches.ndjson", "record 300", "record 301", "batch 2"],
    ["manifests.ndjson", '"sequence":2', '"sequence":3', "manifest 3"],
    ["checkpoints.ndjson", '"head_hash":"', '"head_hash":"0', "checkpoint"],
  ])("ends with 1 when %s was changed, and names the record", async (name, from, to, record) => {
    const changed = join(folder, `changed-${name}`);
    await cp(join(folder, "whole"), changed, { recursive: true });
    const text = await readFile(join(changed, name), "utf8");
    expect(text).toContain(from);
    await writeFile(join(changed, name), text.replace(from, to));
    const verified = await ikg("audit", "verify", changed);
    expect(verified.code).toBe(1);
    expect(verified.out).toContain(record);
    expect((await independent(changed, { code: 1, out: "" })).code).toBe(1);
  });

  it("ends with 2 when it cannot be done as it was said", async () => {
    for (const args of [
      ["verify", join(folder, "nowhere")],
      ["verify"],
      ["export", "--project", project],
      ["export", "--project", project, "--out", join(folder, "whole")],
      ["verify", "--project", "gid:AAAAAgGQAAAAAHAAgAAAAAAAAAE"],
      ["sing"],
    ])
      expect([args, (await ikg("audit", ...args)).code]).toEqual([args, 2]);
  });
});
