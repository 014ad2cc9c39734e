import { describe, expect, it } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { firstNodesCurl } from "./first-nodes.ts";
import { clientCodeOfLook, curlOfLook, type Look } from "./look.ts";

const id = `a'b"c$(id)\`\\/..?#%\u0000\u202E😀</script>`;
const options = { baseUrl: "http://127.0.0.1:8080", projectId: "gid:AAA" };

const looks: readonly (readonly [Look, string, Readonly<Record<string, string>>])[] = [
  [
    { kind: "nodes", type: "Person", prefix: id },
    "/graph/v1/nodes",
    { type: "Person", prefix: id, project_id: "gid:AAA" },
  ],
  [{ kind: "nodes" }, "/graph/v1/nodes", { project_id: "gid:AAA" }],
  [
    { kind: "node", type: "Person", id },
    `/graph/v1/nodes/Person/${encodeURIComponent(id)}`,
    { project_id: "gid:AAA" },
  ],
  [
    { kind: "node", type: "Person", id: ".." },
    "/graph/v1/nodes/Person/_",
    { external_id: "..", project_id: "gid:AAA" },
  ],
  [
    { kind: "neighbours", type: "Person", id: "ann", types: ["KNOWS", "OWNS"], direction: "out" },
    "/graph/v1/nodes/Person/ann/neighbours",
    { types: "KNOWS,OWNS", direction: "out", project_id: "gid:AAA" },
  ],
  [{ kind: "schema" }, "/data-schema/v1", { project_id: "gid:AAA" }],
];

/** Words of a command as a shell splits them; a function stands for the program. */
const wordsOf = (command: string): string[] =>
  execFileSync("sh", ["-c", `curl() { printf '%s\\n' "$@"; }\nTOKEN=t KEY=k\n${command}`], {
    encoding: "utf8",
  })
    .trimEnd()
    .split("\n");

describe("a look that is copied", () => {
  it.each(looks)("is a command of a shell: %j", (look, path, query) => {
    const [silent, address, ...rest] = wordsOf(curlOfLook(look, options));
    expect([silent, rest]).toEqual(["-s", ["-H", "Authorization: Bearer t"]]);
    const url = new URL(address ?? "");
    expect([url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
      new URL(path, options.baseUrl).pathname,
      query,
    ]);
  });

  it.each(looks)("is code that can be parsed: %j", (look) => {
    const body = clientCodeOfLook(look, options).split("\n").slice(1).join("\n");
    // Only parsed, never called.
    expect(() =>
      Reflect.construct(Object.getPrototypeOf(async () => undefined).constructor, [body]),
    ).not.toThrow();
  });

  it("of an empty graph writes its first nodes", () => {
    const words = wordsOf(firstNodesCurl(options.baseUrl));
    const bodies = words.filter((word) => word.startsWith("{")).map((word) => JSON.parse(word) as object);
    expect(bodies.map((body) => Object.keys(body))).toEqual([["nodes"], ["relationships"]]);
  });
});
