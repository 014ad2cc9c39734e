import { beforeAll, describe, expect, it } from "@jest/globals";
import { check, constantFrom, asyncProperty, integer, nat, pre } from "fast-check";
import { isLongRun } from "../../../../stack/src/testing/test-environment.ts";
import {
  filesOf,
  type MadeChain,
  makeChain,
  newEvent,
  newKey,
  signManifest,
  textOf,
} from "../testing/made-chain.ts";
import { type ExportFile, exportFiles } from "../export/files.ts";
import { linesOf } from "../export/lines.ts";
import { verifyExport } from "../export/verify-export.ts";
import { canonical } from "./canonical.ts";
import { dataHash, headHash } from "./hashes.ts";

const runs = isLongRun() ? 20_000 : 150;
const [first, second] = [newKey("key-1"), newKey("key-2", "ES384")];
let made: MadeChain;

beforeAll(async () => {
  made = await makeChain([first, first, second, second]);
});

const verified = (chain: MadeChain, partial = false) => verifyExport(textOf(filesOf(chain)), { partial });
const failedRecords = async (chain: MadeChain): Promise<readonly string[]> => [
  ...new Set((await verified(chain)).failed.map(({ record }) => record)),
];
const changed = (change: (chain: MadeChain) => void): MadeChain => {
  const copy = structuredClone(made);
  change(copy);
  return copy;
};
/** @throws when the test made no such thing. */
const at = <T>(items: readonly T[], index: number): T => {
  const item = items[index];
  if (item === undefined) throw new Error("not there");
  return item;
};

describe("verification of a chain", () => {
  it("accepts an unmodified chain, across a rotation of the key", async () => {
    expect(await verified(made)).toMatchObject({
      project: at(made.manifests, 0).project_id,
      first: 1,
      last: 4,
      batches: 4,
      events: 8,
      checkpoints: 1,
      failed: [],
    });
  });

  it.each(["ES256", "ES384", "PS256", "RS256"] as const)("verifies signatures of %s", async (alg) => {
    expect((await verified(await makeChain([newKey("k", alg)]))).failed).toEqual([]);
  });

  it("names the batch whose event differs by a byte", async () => {
    const chain = changed(({ batches }) => {
      at(batches, 1).data[0] = { ...at(at(batches, 1).data, 0), time: "2026-06-01T00:00:01.000Z" };
    });
    expect(await failedRecords(chain)).toEqual(["batch 2"]);
  });

  it("sees an event that was changed together with every hash", async () => {
    const chain = structuredClone(made);
    const [batch, manifest] = [at(chain.batches, 1), at(chain.manifests, 1)];
    batch.data.pop();
    batch.hash = manifest.data_hash = await dataHash(batch.data);
    batch.chain_hash = manifest.head_hash = await headHash(manifest);
    expect(await failedRecords(chain)).toEqual(["manifest 2", "manifest 3"]);
  });

  it("sees a batch that is missing, and one whose manifest is missing as well", async () => {
    expect(await failedRecords(changed(({ batches }) => batches.splice(1, 1)))).toEqual(["batch 2"]);
    const without = changed(({ batches, manifests }) => {
      batches.splice(1, 1);
      manifests.splice(1, 1);
    });
    expect(await failedRecords(without)).toEqual(["manifest 3"]);
  });

  it("sees batches that were swapped", async () => {
    const swapped = changed(({ batches, manifests }) => {
      batches.splice(1, 2, ...batches.slice(1, 3).toReversed());
      manifests.splice(1, 2, ...manifests.slice(1, 3).toReversed());
    });
    expect(await failedRecords(swapped)).toEqual(["manifest 3", "manifest 2", "manifest 4"]);
    const renumbered = changed(({ batches }) => {
      [at(batches, 1).sequence, at(batches, 2).sequence] = [3, 2];
    });
    expect(await failedRecords(renumbered)).toEqual(["batch 3", "batch 2"]);
  });

  it("refuses a manifest that a foreign key signed, known under its own name or under ours", async () => {
    const foreign = newKey("key-1");
    const resigned = await signManifest(at(made.manifests, 1), foreign);
    const chain = changed(({ manifests, batches }) => {
      manifests[1] = resigned;
      at(batches, 1).signature = resigned.signature;
    });
    expect(await failedRecords(chain)).toEqual(["manifest 2"]);
    const other = newKey("key-3");
    const renamed = await signManifest({ ...at(made.manifests, 1), kid: "key-3" }, other);
    const named = changed(({ manifests, batches }) => {
      manifests[1] = renamed;
      Object.assign(at(batches, 1), { kid: "key-3", signature: renamed.signature });
    });
    expect((await verified(named)).failed).toEqual([
      { record: "manifest 2", reason: 'the key "key-3" is not known', sequence: 2 },
    ]);
  });

  it("sees a chain that was cut off below a checkpoint", async () => {
    const cut = changed(({ batches, manifests }) => {
      batches.pop();
      manifests.pop();
    });
    const [checkpoint] = made.checkpoints;
    expect(await failedRecords(cut)).toEqual([`checkpoint ${checkpoint?.checkpoint_id}`]);
  });

  it("takes a part of a chain only where the caller says so", async () => {
    const part = changed(({ batches, manifests }) => {
      batches.splice(0, 2);
      manifests.splice(0, 1);
    });
    expect(await failedRecords(part)).toEqual(["manifest 2", "batch 2"]);
    expect((await verified(part, true)).failed).toEqual([]);
  });

  it("says which line of an export is not as it was written", async () => {
    const files = filesOf(made);
    const spaced = `${canonical(at(made.manifests, 0)).replace(":", ": ")}\n`;
    const { failed } = await verifyExport(textOf({ ...files, manifests: Buffer.from(spaced) }));
    expect(failed[0]).toEqual({
      record: "line 1 of manifests.ndjson",
      reason: "it is not in canonical form",
    });
  });

  it("tells bytes that are no UTF-8 from the character that stands for them", async () => {
    const chain = await makeChain([first]);
    const event = { ...newEvent("\uFFFD"), note: "\uFEFF" };
    const batch = { ...at(chain.batches, 0), data: [event] };
    const line = Buffer.from(canonical(batch));
    const place = line.indexOf("\uFFFD");
    const damaged = Buffer.concat([line.subarray(0, place), Buffer.from([0xff]), line.subarray(place + 3)]);
    const read = async (bytes: Buffer) => {
      const [text] = await Array.fromAsync(
        linesOf(
          (async function* () {
            yield Buffer.concat([bytes, Buffer.from("\n")]);
          })(),
        ),
      );
      return text;
    };
    expect(await read(line)).toBe(line.toString());
    expect(await read(damaged)).not.toBe(line.toString());
    expect(await read(Buffer.from("\uFEFF{}"))).toBe("\uFEFF{}");
  });

  it("reports each failed check at once, with its place in the chain, and each batch", async () => {
    const chain = changed(({ batches }) => batches.splice(1, 1));
    const reported: unknown[] = [];
    const sequences: number[] = [];
    const { failed } = await verifyExport(textOf(filesOf(chain)), {
      onFailed: (each) => reported.push(each),
      onBatch: ({ sequence }) => sequences.push(sequence),
    });
    expect(reported).toEqual([{ record: "batch 2", reason: "it is missing", sequence: 2 }]);
    expect(failed).toEqual(reported);
    expect(sequences).toEqual([1, 3, 4]);
  });

  it(`fails for any byte of an export that is changed (${runs} of them)`, async () => {
    const files = filesOf(made);
    const names = Object.keys(exportFiles) as ExportFile[]; // the keys of the table
    const anyByte = asyncProperty(
      constantFrom(...names),
      nat(),
      integer({ min: 1, max: 255 }),
      async (name, place, difference) => {
        const bytes = Buffer.from(files[name]);
        pre(bytes.length > 0);
        const index = place % bytes.length;
        bytes.writeUInt8(bytes.readUInt8(index) ^ difference, index);
        const { failed } = await verifyExport(textOf({ ...files, [name]: bytes }));
        return failed.length > 0 && failed.every(({ record, reason }) => record !== "" && reason !== "");
      },
    );
    expect(await check(anyByte, { numRuns: runs })).toMatchObject({ failed: false });
  }, 600_000);
});
