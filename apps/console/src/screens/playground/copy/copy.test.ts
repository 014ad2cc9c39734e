import { execFileSync } from "node:child_process";
import { describe, expect, it } from "@jest/globals";
import type { Question } from "../question/question.ts";
import { clientCodeOf } from "./client-code.ts";
import { curlOf } from "./curl.ts";
import { policyTestOf, type TestParts } from "./policy-test.ts";

const subject = { type: "Person", id: `o'hara "the" $HOME \`id\`` };
const resource = { type: "Book", id: "atlas\u0000\u202E" };
const decision: Question = { mode: "decision", subject, action: "READ", resource, params: { limit: 3 } };
const options = { baseUrl: "http://127.0.0.1:8080", hasToken: false };

const questions: readonly Question[] = [
  decision,
  { mode: "batch", lines: [{ subject, action: "READ", resource, params: { limit: 4 } }], tags: ["a"] },
  { mode: "resources", subject, action: "READ", type: "Book" },
  { mode: "subjects", type: "Person", action: "READ", resource },
  { mode: "actions", subject, resource },
];

describe("a command of a shell", () => {
  it.each(questions.map((question) => [question.mode, question] as const))(
    "of the kind %s says what it shall, whatever the ids are",
    (_mode, question) => {
      // The shell splits the words; a function stands for the program.
      const script = `curl() { printf '%s\\n' "$@" | tail -1; }\n${curlOf(question, options)}`;
      const body = JSON.parse(execFileSync("sh", ["-c", script], { encoding: "utf8" })) as unknown;
      expect(JSON.stringify(body)).toContain(JSON.stringify(subject.type));
      expect(JSON.stringify(body).includes(JSON.stringify(subject.id))).toBe(question.mode !== "subjects");
    },
  );

  it("names credentials, and holds none", () => {
    const text = curlOf(decision, { ...options, hasToken: true });
    expect(text).toContain('-H "X-SVC-ClientKey: $KEY"');
    expect(text).toContain('-H "Authorization: Bearer $TOKEN"');
  });
});

describe("code of a client", () => {
  it.each(questions.map((question) => [question.mode, question] as const))(
    "of the kind %s is a module that can be parsed",
    (_mode, question) => {
      const code = clientCodeOf(question, { ...options, hasToken: true });
      const body = code.split("\n").slice(1).join("\n");
      // Only parsed, never called.
      expect(() =>
        Reflect.construct(Object.getPrototypeOf(async () => undefined).constructor, [body]),
      ).not.toThrow();
    },
  );

  it("has ids as they are, also one that looks like code", () => {
    const subject = { type: "Person", id: "{ ...{} }" };
    const code = clientCodeOf({ mode: "actions", subject, resource }, options);
    expect(code).toContain(`ikg.as(${JSON.stringify(subject)})`);
  });

  it("reads as a person would write it", () => {
    const plain: Question = {
      mode: "decision",
      subject: { type: "Person", id: "ann" },
      action: "READ",
      resource: { type: "Book", id: "atlas" },
    };
    expect(clientCodeOf(plain, options)).toContain(
      `const allowed = await ikg.as({"type":"Person","id":"ann"}).can("READ", {"type":"Book","id":"atlas"});`,
    );
  });
});

describe("a policy test", () => {
  const parts: TestParts = {
    question: { mode: "decision", subject: { type: "Person", id: "ann may not" }, action: "may", resource },
    isGranted: false,
    at: 0,
    policies: [{ name: "may-read", policy: '{"meta":{}}', tags: ["a"] }],
    nodes: [
      {
        type: "Person",
        external_id: "ann may not",
        is_identity: true,
        labels: [],
        properties: [
          { type: "level", value: 3 },
          { type: "outside", external_value: "resolver" },
        ],
      },
    ],
    relationships: [],
  };

  it("holds the world and the decision", () => {
    expect(JSON.parse(policyTestOf(parts))).toEqual({
      name: "playground: may",
      graph: {
        nodes: [
          {
            type: "Person",
            external_id: "ann may not",
            is_identity: true,
            properties: [{ type: "level", value: 3 }],
          },
        ],
      },
      policies: { "may-read": { policy: { meta: {} }, tags: ["a"] } },
      tests: [{ decision: 'Person "ann may not" may not "may" Book "atlas\\u0000\u202E"' }],
    });
  });

  it("holds the claims of the token that was sent, and when they were measured", () => {
    const claims = { sub: "ann", auth_time: 5 };
    expect(JSON.parse(policyTestOf({ ...parts, claims }))).toMatchObject({
      people: { person: claims },
      now: "1970-01-01T00:00:00.000Z",
      tests: [{ as: "person" }],
    });
  });
});
