import { describe, expect, it } from "@jest/globals";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { freshName } from "./tenant.ts";
import { introspectBody, paths, updatedPaths } from "./populate.ts";
import { ours, tenant, usePopulation } from "./populated.ts";

usePopulation();

/** Nothing of the database, of its language or of the program may leave in an answer. */
const telltale = /[Nn]eo4j|[Cc]ypher:|_Record|_Node|_P__|at \w+ \(|\.ts:\d|stack/;

const texts = [
  "'",
  '"',
  "`",
  "\\u0027 OR 1=1 //",
  "'}) DETACH DELETE r //",
  "$name",
  "__proto__",
  "constructor",
  "\0\u0001\u2028",
  "\uD800",
  "x".repeat(1_000_000),
];

let drawn = 0;

/** All of them for each place in the long run; otherwise one for each third place, and another one for the next of these. */
const textsAt = (place: number): readonly string[] => {
  if (isLongRun()) return texts;
  if (place % 3 !== 0) return [];
  const at = drawn++ % texts.length;
  return texts.slice(at, at + 1);
};

/** Those that fit into an address. Outside the long run each of them is tried on another collection. */
const inAddressOf = (place: number): readonly string[] => {
  const short = texts.filter((each) => each.length < 100 && each !== "constructor");
  return isLongRun() ? short : short.slice(place, place + 1);
};

describe("hostile input", () => {
  it.each(paths)("as the value of any field of %s is no more than a fault or a text", async (path) => {
    const sample = ours.samples.find((each) => each.path === path);
    for (const [index, field] of Object.keys(sample?.body() ?? {}).entries())
      for (const text of textsAt(index + paths.indexOf(path))) {
        const answer = await tenant.send("POST", path, { ...sample?.body(), [field]: text });
        // 409: a name was taken by a text that is one, or the project has the one that it may have.
        expect([201, 404, 409, 422]).toContain(answer.status);
        expect(answer.status === 201 ? "" : answer.text).not.toMatch(telltale);
        expect(answer.text.length).toBeLessThan(1_100_000);
      }
  });

  it.each(updatedPaths)("as the value of any field of an update of %s is no more, either", async (path) => {
    const sample = ours.samples.find((each) => each.path === path);
    for (const [index, field] of Object.keys(sample?.description.fields ?? {}).entries())
      for (const text of textsAt(index + paths.indexOf(path) + 1)) {
        const body = { ...sample?.change(), [field]: text };
        const answer = await tenant.send("PUT", `${path}/${sample?.made.id}`, body);
        expect([200, 404, 422]).toContain(answer.status);
        expect(answer.status === 200 ? "" : answer.text).not.toMatch(telltale);
        expect(answer.text.length).toBeLessThan(1_100_000);
      }
  });

  it("as a display name or description is stored as it is", async () => {
    const shown = texts.filter((each) => each.length > 1 && each.length < 100 && each !== "\uD800");
    for (const text of shown.filter((_, index) => isLongRun() || index % 2 === 1)) {
      const made = await tenant.make("/applications", {
        project_id: ours.project.id,
        name: freshName(),
        display_name: text,
        description: text,
      });
      const read = await tenant.send("GET", `/applications/${made.id}`);
      expect(read.body).toMatchObject({ display_name: text, description: text });
      const found = await tenant.send("GET", `/applications?search=${encodeURIComponent(text)}`);
      expect((found.body["data"] as { id: string }[]).map((record) => record.id)).toContain(made.id);
    }
  });

  it("as a member name changes nothing", async () => {
    const text = `{"project_id":"${ours.project.id}","name":"${freshName()}","__proto__":{"display_name":"polluted"},"constructor":{"prototype":{"x":1}},"toString":1}`;
    const answer = await tenant.send("POST", "/applications", text);
    expect(answer.status).toBe(201);
    expect(answer.body["display_name"]).toBe(answer.body["name"]);
    expect({}).not.toHaveProperty("x");
    const update = `{"__proto__":{"display_name":"polluted"},"constructor":{"prototype":{"x":1}},"toString":1}`;
    const updated = await tenant.send("PUT", `/applications/${String(answer.body["id"])}`, update);
    expect([updated.status, updated.body["display_name"]]).toEqual([200, answer.body["name"]]);
    expect({}).not.toHaveProperty("x");
    const mapping = `{"__proto__":{"selector":"a"}}`;
    const introspect = JSON.stringify(introspectBody(ours.project.id)).replace(
      /"claims_mapping":\{.*?\}\}/,
      `"claims_mapping":${mapping}`,
    );
    const refused = await tenant.send("POST", "/token-introspects", introspect);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      ["claims_mapping.__proto__: key is reserved"],
    ]);
  });

  it("in a path or query is 404 or 400", async () => {
    for (const [index, path] of paths.entries())
      for (const text of inAddressOf(index)) {
        const part = text === "\uD800" ? "%ED%A0%80" : encodeURIComponent(text);
        for (const [method, url] of [
          ["GET", `${path}/${part}?project_id=${ours.project.id}`],
          ["GET", `${path}/gid:${part}`],
          ["DELETE", `${path}/${part}`],
          ["GET", `${path}?project_id=${part}&organization_id=${part}`],
          ["GET", `${path}/${part}?location=${part}`],
        ] as const) {
          const answer = await tenant.send(method, url);
          expect([url, [400, 404].includes(answer.status)]).toEqual([url, true]);
          expect(answer.text).not.toMatch(telltale);
        }
      }
  });
});
