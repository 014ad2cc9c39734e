import { beforeAll, describe, expect, it } from "@jest/globals";
import type { ExportFile } from "@ikg/audit/verification";
import { exportFiles } from "@ikg/audit/verification";
import { filesOf, type MadeChain, makeChain, newKey } from "@ikg/audit/testing";
import { explainCheck, isOldestMissing } from "./explain-check.ts";
import { type ChosenFiles, kindOfFile, lastSequence } from "./export-files.ts";
import { fileLines, missingFiles } from "./file-lines.ts";
import { runVerification, type Verification } from "./run-verification.ts";

let made: MadeChain;

beforeAll(async () => {
  const key = newKey("k1");
  made = await makeChain([key, key, key, key]);
});

const kinds = Object.keys(exportFiles) as ExportFile[]; // of the table

const chosen = (chain: MadeChain, names: readonly ExportFile[] = kinds): ChosenFiles => {
  const bytes = filesOf(chain);
  return Object.fromEntries(
    names.map((kind) => [kind, new File([new Uint8Array(bytes[kind])], exportFiles[kind])]),
  );
};

const changed = (change: (chain: MadeChain) => void): MadeChain => {
  const copy = structuredClone(made);
  change(copy);
  return copy;
};

const noService = () => {
  throw new Error("the service is not asked");
};

const verify = async (
  files: ChosenFiles,
  service: Parameters<typeof fileLines>[1] = noService,
  { partial = false, signal = new AbortController().signal } = {},
): Promise<Verification> => {
  const states: Verification[] = [];
  const onState = (state: Verification): void => void states.push(state);
  await runVerification(fileLines(files, service), { partial, signal, onState });
  const last = states.at(-1);
  if (last === undefined) throw new Error("no state");
  return last;
};

describe("a verification of files", () => {
  it("needs no service when all are there, and sums up", async () => {
    expect(await verify(chosen(made))).toMatchObject({
      status: "done",
      records: 8,
      lines: { keys: 1, manifests: 4, batches: 4, checkpoints: 1 },
      failed: [],
      link: undefined,
      verified: { first: 1, last: 4, events: 8 },
    });
  });

  it("names the first broken link with its batch, whichever check failed first", async () => {
    const chain = changed(({ batches, manifests }) => {
      const [, second, third] = [batches[0], batches[1], manifests[2]];
      if (second === undefined || third === undefined) throw new Error("not there");
      second.data[0] = { ...second.data[0], note: "changed" };
      third.created_at = "2020-01-01T00:00:00.000Z";
    });
    const { link, failed } = await verify(chosen(chain));
    expect(failed.map(({ record }) => record)).toEqual(["manifest 3", "batch 2"]);
    expect(link?.check.record).toBe("batch 2");
    expect(link?.batch?.data[0]).toMatchObject({ note: "changed" });
    expect(link && explainCheck(link.check)).toContain("one of its records");
  });

  it("finds a batch that is missing, with and without its manifest", async () => {
    const alone = await verify(chosen(changed(({ batches }) => batches.splice(1, 1))));
    expect(alone.link).toMatchObject({ check: { record: "batch 2", reason: "it is missing" } });
    const both = await verify(
      chosen(
        changed(({ batches, manifests }) => {
          batches.splice(1, 2);
          manifests.splice(1, 2);
        }),
      ),
    );
    expect(both.link?.check.record).toBe("manifest 4");
    expect(both.link && explainCheck(both.link.check)).toBe(
      "The batches 2 to 3 are missing, with their records.",
    );
    expect(both.link?.batch?.sequence).toBe(4);
  });

  it("shows a line that is not one of an export", async () => {
    const files = chosen(made);
    const text = (await files.batches?.text()) ?? "";
    const broken = new File([text.replace('{"alg"', '{"alg":')], "batches.ndjson");
    const { line, link } = await verify({ ...files, batches: broken });
    expect(line?.check.record).toBe("line 1 of batches.ndjson");
    expect(line?.text).toContain('{"alg":');
    expect(link?.check).toMatchObject({ record: "batch 1", reason: "it is missing" });
  });

  it("reads what is missing from the service, as far as the files come", async () => {
    const lastBatches: unknown[] = [];
    const whole = fileLines(chosen(made), noService);
    const service = (last: number | undefined) => {
      lastBatches.push(last);
      return whole;
    };
    const batches = chosen(made, ["batches"]);
    expect(missingFiles(batches)).toEqual(["keys", "manifests", "checkpoints"]);
    expect((await verify(batches, service)).verified?.failed).toEqual([]);
    expect(lastBatches).toEqual([4]);
  });

  it("stops between two lines", async () => {
    const controller = new AbortController();
    controller.abort();
    expect(await verify(chosen(made), noService, { signal: controller.signal })).toMatchObject({
      status: "stopped",
      failed: [],
    });
  });

  it("says why it cannot come to its end", async () => {
    const { status, error } = await verify(chosen(made, ["batches", "manifests", "keys"]));
    expect([status, String(error)]).toEqual(["failed", "Error: the service is not asked"]);
  });
});

describe("files of an export", () => {
  it("are known by their names, and by how they begin", async () => {
    const files = chosen(made);
    for (const kind of kinds) {
      const file = files[kind];
      if (file === undefined) throw new Error("not there");
      expect(await kindOfFile(file)).toBe(kind);
      expect([kind, await kindOfFile(new File([file], "download (1).ndjson"))]).toEqual([kind, kind]);
    }
    expect(await kindOfFile(new File(['{"alg":"x"}'], "x.ndjson"))).toBeUndefined();
  });

  it("end with the last place in the chain, where that can be read", async () => {
    expect(await lastSequence(new File([filesOf(made).batches.toString()], "b"))).toBe(4);
    expect(await lastSequence(new File(["{"], "b"))).toBeUndefined();
    expect(await lastSequence(new File([""], "b"))).toBeUndefined();
  });
});

describe("records that are no longer kept", () => {
  it("are distinguished from a gap", () => {
    const missing = (...sequences: readonly number[]) => ({
      failed: sequences.map((sequence) => ({
        record: `batch ${sequence}`,
        reason: "it is missing",
        sequence,
      })),
    });
    expect(isOldestMissing(missing(1, 2, 3))).toBe(true);
    expect(isOldestMissing(missing(2))).toBe(false);
    expect(isOldestMissing(missing(1, 3))).toBe(false);
    expect(isOldestMissing({ failed: [] })).toBe(false);
  });
});
