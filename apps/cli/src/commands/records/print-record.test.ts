import { describe, expect, it } from "@jest/globals";
import { noTerminal } from "../../command-environment.ts";
import type { OutputFormat } from "../../output/format.ts";
import { printer } from "../../output/print.ts";
import { printRecord } from "./print-record.ts";

const project = { id: "gid:p", limits: { records: 7 }, effective_limits: { records: 7, sessions: 2_000 } };

const printed = async (format: OutputFormat): Promise<string> => {
  let output = "";
  await printRecord(printer(format, { ...noTerminal, out: (text) => void (output += text) }), project);
  return output;
};

describe("a printed record", () => {
  it("has no effective limits in a table", async () => {
    const table = await printed("table");
    expect(table).toContain("limits");
    expect(table).not.toContain("effective_limits");
  });

  it("is whole in other formats", async () => {
    expect(JSON.parse(await printed("json"))).toEqual(project);
    expect(await printed("yaml")).toContain("sessions: 2000");
  });
});
