import { createHash } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { fitRecord } from "./fit-record.ts";
import { type AuditType, recordSchemas } from "./record.ts";
import type { RedactionSettings } from "./redaction-settings.ts";

const all = { inputParams: "values", values: "full" } as const;
const sha256 = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

/** The data of a record as it is emitted. */
const fit = (type: AuditType, data: object, settings: RedactionSettings): unknown => {
  const record = recordSchemas[type].parse({
    id: "0190b8a0-0000-7000-8000-000000000000",
    time: "2026-01-01T00:00:00.000Z",
    type,
    project_id: "gid:AAAAFoluc3RhbGxhdGlvbi4uLi4uLi4u",
    actor: { type: "system", id: "test" },
    outcome: "success",
    data,
  });
  return fitRecord(record, settings).data;
};

describe("what a record holds by the settings of the operator", () => {
  it("has values of properties only when the operator wants them", () => {
    const data = { count: 1, properties: ["email"], values: { a: { email: "a@b.example" } } };
    const type = "audit.capture.upsert.node";
    expect(fit(type, data, { ...all, values: "names" })).toEqual({
      count: 1,
      properties: ["email"],
    });
    expect(fit(type, data, all)).toEqual(data);
  });

  it("has input parameters as values, as hashes or not at all, in batches as well", () => {
    const data = {
      count: 1,
      evaluations: [{ decision: true, input_params: { a: 1 }, inputs: { $token: { sub: "s" } } }],
    };
    const type = "audit.authorization.evaluations";
    expect(fit(type, data, all)).toEqual(data);
    expect(fit(type, data, { ...all, inputParams: "none" })).toEqual({
      count: 1,
      evaluations: [{ decision: true, omitted: ["input_params", "inputs"] }],
    });
    const hashed = fit(type, data, { ...all, inputParams: "hashes" });
    expect(hashed).toEqual({
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
