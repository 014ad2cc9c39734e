import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Answers, ScriptedSuite, type ScriptedRequest } from "../../../test/scripted-suite.ts";

/** As a deployment with CONFIG_REQUIRE_IF_MATCH answers. */
const requiresIfMatch = ({ headers }: ScriptedRequest): readonly [number, unknown] =>
  headers["if-match"] === undefined
    ? [428, { message: "Precondition Required", errors: ["If-Match: required"] }]
    : [200, { id: "gid:r", name: "tower" }];

const record = (): readonly [number, unknown] => [200, { id: "gid:r", name: "tower" }];

let suite: ScriptedSuite;
beforeEach(async () => {
  suite = await ScriptedSuite.start();
});
afterEach(() => suite.close());

describe("ikg delete", () => {
  it("deletes a record once that is named twice", async () => {
    let isThere = true;
    suite.answers = {
      "GET /configs/v1/authorization-policies/tower": record,
      "DELETE /configs/v1/authorization-policies/gid:r": () => {
        const status = isThere ? 200 : 404;
        isThere = false;
        return [status, {}];
      },
    };
    const { code, output } = await suite.run("delete policies tower tower --yes -o json".split(" "));
    expect([code, JSON.parse(output)]).toEqual([0, [{ id: "gid:r" }]]);
  });
});

describe("a deployment that refuses writes without If-Match", () => {
  const commands: readonly (readonly [string, Answers])[] = [
    [
      "delete policies tower",
      {
        "GET /configs/v1/authorization-policies/tower": record,
        "DELETE /configs/v1/authorization-policies/gid:r": requiresIfMatch,
      },
    ],
    [
      "agents delete tower",
      {
        "GET /configs/v1/application-agents/tower": record,
        "DELETE /configs/v1/application-agents/gid:r": requiresIfMatch,
      },
    ],
    ["keys revoke gid:r", { "DELETE /configs/v1/application-agent-credentials/gid:r": requiresIfMatch }],
    [
      "keys revoke gid:r --service-account",
      { "DELETE /configs/v1/service-account-credentials/gid:r": requiresIfMatch },
    ],
    [
      "rollback tower 1",
      {
        "GET /configs/v1/authorization-policies/tower": record,
        "POST /configs/v1/authorization-policies/gid:r/rollback": requiresIfMatch,
      },
    ],
  ];
  for (const [command, answers] of commands)
    it(`lets pass ikg ${command}`, async () => {
      suite.answers = answers;
      const { code, errors } = await suite.run([...command.split(" "), "--yes"]);
      expect([code, errors]).toEqual([0, ""]);
    });
});
