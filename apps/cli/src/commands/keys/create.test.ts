import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ScriptedSuite } from "../../../test/scripted-suite.ts";

let suite: ScriptedSuite;
let folder: string;
beforeEach(async () => {
  suite = await ScriptedSuite.start();
  folder = mkdtempSync(join(tmpdir(), "ikg-keys-"));
  suite.answers = {
    "GET /configs/v1/application-agents/tower": () => [200, { id: "gid:a", name: "tower" }],
    "POST /configs/v1/application-agent-credentials": () => [
      201,
      { id: "gid:c", application_agent_config: { token: "ak1_new" } },
    ],
  };
});
afterEach(() => {
  suite.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("ikg keys create --save", () => {
  it("stores the key in the context, and no credential of variables", async () => {
    const file = join(folder, "contexts.json");
    const content = { current: "prod", contexts: { prod: { url: suite.url, organization: "gid:o" } } };
    writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
    const { code, output } = await suite.run(["keys", "create", "tower", "--save"], {
      variables: { IKG_CONTEXTS: file, IKG_TOKEN: "of-variable", IKG_CLIENT_KEY: "of-variable" },
    });
    expect([code, output]).toEqual([0, "The key was stored in the context prod.\n"]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      current: "prod",
      contexts: { prod: { url: suite.url, organization: "gid:o", clientKey: "ak1_new" } },
    });
  });
});
