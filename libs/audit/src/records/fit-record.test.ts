import { createHash, randomInt } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { isLongRun } from "../../../../stack/src/testing/test-environment.ts";
import { canonical } from "../chain/canonical.ts";
import { fitRecord, maxRecordBytes } from "./fit-record.ts";
import { type AuditRecord, type AuditType, recordSchemas } from "./record.ts";
import type { RedactionSettings } from "./redaction-settings.ts";

const all = { inputParams: "values", values: "full" } as const;
const sha256 = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

const recordOf = (data: object, type: AuditType = "audit.authorization.evaluation"): AuditRecord =>
  ({
    id: "0190b8a0-0000-7000-8000-000000000000",
    time: "2026-01-01T00:00:00.000Z",
    type,
    project_id: "gid:AAAAFoluc3RhbGxhdGlvbi4uLi4uLi4u",
    actor: { type: "app_agent", id: "gid:AAAAFoluc3RhbGxhdGlvbi4uLi4uLi4u", credential_kid: "kid" },
    outcome: "success",
    data,
  }) as AuditRecord; // what the tests put in is judged below

/** Processor time, which a busy machine does not lengthen as much as it does the clock. */
const millisecondsSince = (before: NodeJS.CpuUsage): number => process.cpuUsage(before).user / 1_000;

/** Fits a record, and judges its size, its form and its canonical text. */
const fit = async (record: AuditRecord, settings: RedactionSettings = all): Promise<AuditRecord> => {
  const fitted = await fitRecord(record, settings);
  expect(Buffer.byteLength(JSON.stringify(fitted))).toBeLessThanOrEqual(maxRecordBytes);
  expect(() => canonical(fitted)).not.toThrow();
  expect(recordSchemas[record.type].safeParse(fitted).error).toBeUndefined();
  return fitted;
};
const fitData = (data: object, settings?: RedactionSettings, type?: AuditType) =>
  fit(recordOf(data, type), settings);

describe("what a record holds", () => {
  it("is the whole record where it fits", async () => {
    const data = {
      subject: { type: "Person", id: "ann" },
      input_params: { a: [1, { b: "c" }] },
      decision: true,
    };
    expect(await fitData(data)).toEqual(recordOf(data));
  });

  it("long texts are cut and named with their hash", async () => {
    const action = "a".repeat(2_000);
    expect(await fitData({ action })).toMatchObject({
      data: { action: `${"a".repeat(1024)}… (cut, 2000 characters)` },
      cut: [{ field: "/data/action", bytes: 2_002, sha256: sha256(action) }],
    });
    expect(await fitData({ action: "a".repeat(1024) })).not.toHaveProperty("cut");
  });

  it("can always be written canonically", async () => {
    const hostile = {
      a: "\ud800",
      b: [Number.NaN, undefined, { "\udc00": `${"a".repeat(1023)}😀` }],
      c: undefined,
    };
    await fitData({ input_params: hostile });
    await fit({ ...recordOf({}), on_behalf_of: { sub: "\ud800" } });
    const person = { type: "user", issuer: "https://login.example", sub: "ann", name: "ann \ud83d" } as const;
    expect((await fit({ ...recordOf({}), actor: person })).actor).toEqual({ ...person, name: "ann \uFFFD" });
  });

  it("a parameter that does not fit is replaced by its hash, and the others stay", async () => {
    const large = Array.from({ length: 200_000 }, (_, index) => index);
    const { data, cut } = await fitData({ input_params: { large, small: "s" }, decision: true });
    expect(data).toEqual({ input_params: { large: `sha256:${sha256(large)}`, small: "s" }, decision: true });
    expect(cut).toEqual([
      { field: "/data/input_params/large", bytes: JSON.stringify(large).length, sha256: sha256(large) },
    ]);
  });

  it.each(["values", "hashes", "none"] as const)(
    "of many parameters as many as fit (%s)",
    async (inputParams) => {
      const paramsOf = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, "some text"]));
      const fitParams = async (input_params: object) => {
        const before = process.cpuUsage();
        const fitted = await fitData({ input_params, decision: false }, { ...all, inputParams });
        return { ...fitted, ms: millisecondsSince(before) };
      };
      const count = isLongRun() || inputParams === "hashes" ? 100_000 : 10_000;
      const { ms: msOfTenth } = await fitParams(paramsOf(count / 10));
      const input_params = paramsOf(count);
      const { data, cut = [], ms } = await fitParams(input_params);
      // In proportion to their number; with its square it would be a hundred times.
      expect(ms).toBeLessThan(30 * msOfTenth + 100);
      if (inputParams === "none") return expect(data).toEqual({ decision: false, omitted: ["input_params"] });
      const left = Object.keys((data as { input_params: object }).input_params).length;
      expect(left).toBeGreaterThan(100);
      expect(cut).toEqual([
        {
          field: "/data/input_params",
          bytes: JSON.stringify(input_params).length,
          sha256: sha256(input_params),
          kept: left,
        },
      ]);
    },
  );

  it("a batch with large values that all entries share costs one hash of them", async () => {
    const input_params = { large: Array.from({ length: 300_000 }, () => 1) };
    const evaluations = Array.from({ length: 1_000 }, (_, n) => ({
      subject: { type: "Person", id: `p${n}` },
      resource: { type: "Doc", id: `d${n}` },
      action: "read",
      input_params,
      decision: n % 2 === 0,
    }));
    const before = process.cpuUsage();
    const { data, cut = [] } = await fitData(
      { count: 1_000, evaluations },
      all,
      "audit.authorization.evaluations",
    );
    expect(millisecondsSince(before)).toBeLessThan(1_000);
    const left = (data as { evaluations: object[] }).evaluations;
    expect(left.length).toBeGreaterThan(40);
    expect(left[1]).toMatchObject({ subject: { id: "p1" }, decision: false });
    expect(cut).toMatchObject([{ field: "/data/evaluations", kept: left.length }]);
    const shared = `sha256:${sha256(input_params)}`;
    const short = evaluations.map((each) => ({ ...each, input_params: shared }));
    expect(cut[0]?.sha256).toBe(sha256(short));
  });

  it("is hashed while other requests are answered, where its values are long", async () => {
    const large = Array.from({ length: 4_000 }, () => "x".repeat(1_000));
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      timer = setImmediate(turn);
    };
    let timer = setImmediate(turn);
    const { cut } = await fitData({ input_params: { large, list: [large], small: "s" }, decision: true });
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(50);
    expect(cut?.map(({ field, sha256: hash }) => [field, hash])).toEqual([
      ["/data/input_params/large", sha256(large)],
      ["/data/input_params/list", sha256([large])],
    ]);
  });

  it("of long lists the first elements, whole", async () => {
    const keys = Array.from({ length: 1_000 }, (_, n) => ({ type: "Person", external_id: `person-${n}` }));
    const { data, cut } = await fitData({ count: 1_000, keys }, all, "audit.capture.upsert.node");
    const left = (data as { keys: object[] }).keys;
    expect(left.length).toBeGreaterThan(200);
    expect(left).toEqual(keys.slice(0, left.length));
    expect(cut).toMatchObject([{ field: "/data/keys", sha256: sha256(keys), kept: left.length }]);
  });

  it("little of an end user's token, whatever it says", async () => {
    const long = "\u0001".repeat(500_000);
    const user = { sub: long, iss: long, original_sub: long, act: Array.from({ length: 16 }, () => long) };
    const { cut, on_behalf_of } = await fit({ ...recordOf({ decision: true }), on_behalf_of: user });
    expect(on_behalf_of?.sub).toMatch(/… \(cut, 500000 characters\)$/);
    expect(cut?.map(({ field }) => field)).toEqual(
      ["sub", "iss", "original_sub", "act"].map((name) => `/on_behalf_of/${name}`),
    );
  });

  it("has at most 16 KiB, whatever the sizes of its fields", async () => {
    const characters = ["x", "\u0001", "é", "😀", '"'];
    const text = (): string => (characters[randomInt(5)] ?? "").repeat(2 ** randomInt(17));
    const list = <T>(make: () => T): T[] => Array.from({ length: 2 ** randomInt(9) }, make);
    const map = (): Record<string, unknown> =>
      Object.fromEntries(list(() => [`${text()}${randomInt(9)}`, text()]));
    for (let turn = 0; turn < (isLongRun() ? 12 : 2); turn++) {
      const settings = {
        inputParams: randomInt(2) === 0 ? "values" : "hashes",
        values: "full",
      } as const;
      const entity = () => ({ type: text(), id: text() });
      const question = {
        subject: entity(),
        resource: entity(),
        action: text(),
        input_params: map(),
        inputs: map(),
      };
      await fitData({ ...question, tried: [], consistency_token: text(), decision: true }, settings);
      const key = () => ({ type: text().slice(0, 99), external_id: text() });
      await fitData(
        { count: 1, properties: list(text), keys: list(key), values: { [text()]: map() }, import_id: text() },
        settings,
        "audit.capture.upsert.node",
      );
      const { input_params, inputs } = question;
      const entries = Array.from({ length: 2 ** randomInt(7) }, () => ({
        ...{ input_params, inputs, subject: { type: "Person", id: text().slice(0, 400) } },
        decision: true,
      }));
      await fitData({ count: 1, evaluations: entries }, settings, "audit.authorization.evaluations");
      await fitData(
        { query: { id: text(), version: 1 }, input_params, upserted: list(key), resolvers: list(text) },
        settings,
        "audit.ciq.execute",
      );
    }
  });
});

describe("what a record holds by the settings of the operator", () => {
  it("has values of properties only when the operator wants them", async () => {
    const data = { count: 1, properties: ["email"], values: { a: { email: "a@b.example" } } };
    const type = "audit.capture.upsert.node";
    expect((await fitData(data, { ...all, values: "names" }, type)).data).toEqual({
      count: 1,
      properties: ["email"],
    });
    expect((await fitData(data, all, type)).data).toEqual(data);
  });

  it("has input parameters as values, as hashes or not at all, in batches as well", async () => {
    const data = {
      count: 1,
      evaluations: [{ decision: true, input_params: { a: 1 }, inputs: { $token: { sub: "s" } } }],
    };
    const type = "audit.authorization.evaluations";
    expect((await fitData(data, all, type)).data).toEqual(data);
    expect((await fitData(data, { ...all, inputParams: "none" }, type)).data).toEqual({
      count: 1,
      evaluations: [{ decision: true, omitted: ["input_params", "inputs"] }],
    });
    expect((await fitData(data, { ...all, inputParams: "hashes" }, type)).data).toEqual({
      count: 1,
      evaluations: [
        {
          decision: true,
          input_params: { a: `sha256:${sha256(1)}` },
          inputs: { $token: `sha256:${sha256({ sub: "s" })}` },
        },
      ],
    });
  });
});
