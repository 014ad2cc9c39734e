import { describe, expect, it } from "@jest/globals";
import { organizationField, recordField } from "@ikg/audit";
import { newKey } from "@ikg/audit/testing";
import { SigningFault } from "../signing/signer.ts";
import type { ChainState, NewBatch } from "../store/chain-state.ts";
import { chainWriter } from "./chain-writer.ts";
import type { Streams } from "./streams.ts";
import type { WaitingChain } from "./waiting-records.ts";
import type { WriterParts } from "./writer-parts.ts";

const before: Streams = { id: "before", since: "2026-01-01T00:00:00.000Z" };
const after: Streams = { id: "after", since: "2026-01-02T00:00:00.000Z" };
const waiting: WaitingChain = {
  records: 1,
  bytes: 100,
  since: 0,
  isRedisFilling: false,
  isSpilled: false,
  hasReplacedStreams: false,
};
const state: ChainState = {
  project: "p",
  sequence: 0,
  headHash: "",
  position: "0-0",
  fence: 1,
  kid: undefined,
  failingSince: undefined,
  streams: before.id,
  batchTime: undefined,
  spill: { first: 1, count: 0, records: 0, bytes: 0 },
};

/** The writer of a chain for which one record waits, and the batches that it stores. */
const openWriter = (
  sign: (input: Uint8Array) => Promise<Uint8Array>,
  jwk: object,
  streams: () => Streams,
  record = `{"id":"1","time":"2026-01-01T00:00:00.000Z"}`,
) => {
  const batches: NewBatch[] = [];
  const entry = ["1-0", [recordField, record, organizationField, "o"]];
  const parts = {
    database: { read: async () => [] },
    signers: {
      of: async () => ({ publicKey: async () => jwk, sign, close: () => undefined }),
      renew: () => undefined,
    },
    chains: {
      organization: async () => "o",
      outbox: async () => [],
      take: async () => state,
      key: async () => undefined,
      append: async (former: ChainState, batch: NewBatch): Promise<ChainState> => {
        batches.push(batch);
        const { sequence, head_hash: headHash, kid } = batch.manifest;
        return { ...former, sequence, headHash, kid, streams: batch.streams };
      },
      markFailing: async (former: ChainState) => former,
    },
    // Reading entries takes one key, removing them three.
    redis: {
      eval: async (_script: string, keys: number) => (keys === 1 ? [[entry], 0] : 0),
      xrange: async () => [entry],
    },
    settings: { batchMs: 0, retryMinMs: 1_000, retryMaxMs: 1_000, spilledBytes: 1_000_000 },
    metrics: { stored: () => undefined, failed: () => undefined },
    log: { info: () => undefined, error: () => undefined },
    emit: async () => undefined,
    streams,
    now: () => new Date(0),
  } as unknown as WriterParts; // all that is used
  return { writer: chainWriter(parts, "p"), batches };
};

describe("the writer of a chain", () => {
  it("records the gap of a Redis that was replaced while a batch was signed, in the next batch", async () => {
    const key = newKey("k");
    let current = before;
    const sign = (input: Uint8Array): Promise<Uint8Array> => {
      current = after;
      return key.sign(input);
    };
    const { writer, batches } = openWriter(sign, key.jwk, () => current);
    await writer.turn(waiting);
    await writer.turn(waiting);
    expect(
      batches.map(({ streams, data }) => [streams, data.includes(`"type":"audit.streams.replaced"`)]),
    ).toEqual([
      ["before", false],
      ["after", true],
    ]);
  });

  it("says of a turn that signed nothing that it does not tell how slow the key service is", async () => {
    const refuse = () => Promise.reject(new SigningFault("unavailable", "no answer"));
    const { writer } = openWriter(refuse, newKey("k").jwk, () => before);
    const unsigned = { bytes: 0, more: false, isUnsigned: true, consumed: { records: 0, bytes: 0 } };
    expect(await writer.turn({ ...waiting, records: 0 })).toEqual(unsigned);
    expect(await writer.turn(waiting)).toEqual(unsigned);
  });

  it("says the same of a turn that removes entries without a record", async () => {
    const key = newKey("k");
    const { writer, batches } = openWriter(key.sign, key.jwk, () => before, "no record");
    const consumed = { records: 1, bytes: 0 };
    expect(await writer.turn(waiting)).toEqual({ bytes: 0, more: true, isUnsigned: true, consumed });
    expect(batches).toEqual([]);
  });

  it("does not count records of its own among those that waited", async () => {
    const key = newKey("k");
    const { writer, batches } = openWriter(key.sign, key.jwk, () => after);
    const { bytes, consumed } = await writer.turn(waiting);
    expect(batches[0]?.data).toContain(`"type":"audit.streams.replaced"`);
    expect(consumed.records).toBe(1);
    expect(consumed.bytes).toBeLessThan(bytes);
  });
});
