import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Body, collectionPaths, isNameless } from "../../src/configuration/collections.ts";
import { removeParents, type Parents, createParents } from "../../src/configuration/parents.ts";
import { type Sample, samplesOf } from "../../src/configuration/samples.ts";
import { freshName } from "../../src/fresh-name.ts";
import { asAccount, type Account } from "../../src/requests/account.ts";
import { type ConfigRecord, ownAccount } from "../../src/requests/configs.ts";
import { expectRefusal } from "../../src/requests/envelope.ts";
import { must } from "../../src/requests/must.ts";
import type { Answer } from "../../src/requests/send.ts";

/** The life of a record, its conflicts and its refusals, for every collection. */
let account: Account;
let parents: Parents;
let samples: readonly Sample[];
beforeAll(async () => {
  account = ownAccount();
  parents = await createParents(account, freshName("life"));
  samples = await samplesOf(account, parents);
});
afterAll(() => parents && removeParents(account, parents));

const named = collectionPaths.filter((path) => !isNameless(path));
const nameless = collectionPaths.filter(isNameless);

const sampleOf = (path: string): Sample => {
  const found = samples.find((sample) => sample.path === path);
  if (found === undefined) throw new Error(`no sample of ${path}`);
  return found;
};
const isOfRuns = (name: string): boolean =>
  name === "current_run" || name === "dimensions_execution_times" || name.startsWith("last_run_");
/** What the scorer notes of its runs comes and goes by itself. */
const withoutRuns = (body: unknown): unknown => {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const entries = Object.entries(body).filter(([name]) => !isOfRuns(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      name === "data" && Array.isArray(value) ? value.map(withoutRuns) : value,
    ]),
  );
};
const get = async (path: string): Promise<Answer> => {
  const answer = await asAccount(account, path);
  return { ...answer, body: withoutRuns(answer.body) };
};
const put = (path: string, json: Body, etag?: string): Promise<Answer> =>
  asAccount(account, path, { method: "PUT", json, headers: etag === undefined ? {} : { "If-Match": etag } });
const remove = (path: string, etag?: string): Promise<Answer> =>
  asAccount(account, path, { method: "DELETE", headers: etag === undefined ? {} : { "If-Match": etag } });
const create = (path: string, json: Body): Promise<Answer> => asAccount(account, path, { json });

const etagOf = ({ headers }: Answer): string => {
  const etag = headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\x21\x23-\x7e]+"$/);
  return etag;
};

/** The record in an answer: credentials show their token, and policies their warnings, once. */
const recordIn = (answer: Answer, status: number): ConfigRecord => {
  const {
    application_agent_config: _key,
    service_account_config: _token,
    warnings: _warnings,
    ...record
  } = must<ConfigRecord>({ ...answer, body: withoutRuns(answer.body) }, status);
  return record;
};

const expectStale = (answer: Answer): void =>
  expectRefusal(answer, { status: 412, message: "Precondition Failed", errors: [expect.any(String)] });

const expectListed = async ({ path, scope, scopeId }: Sample, record: ConfigRecord): Promise<void> => {
  const list = await get(`${path}?${scope}=${scopeId}&full_fetch=true`);
  expect(must<{ data: ConfigRecord[] }>(list, 200).data).toContainEqual(record);
  expect(Object.keys(list.body as object)).toEqual(["data"]);
  expect(list.headers.get("etag")).toBeNull();
};

/** The end of a life, and the beginning of another under the same name. */
const expectEnd = async (
  { path }: Sample,
  { id }: ConfigRecord,
  body: Body,
  stale: string,
): Promise<void> => {
  const at = `${path}/${id}`;
  expectStale(await remove(at, stale));
  expect((await get(at)).status).toBe(200);
  const removed = await remove(at);
  expect([removed.status, removed.body]).toEqual([200, { id }]);
  for (const gone of [get(at), get(`${at}?version=1`), remove(at)])
    expectRefusal(await gone, { status: 404, message: "Not Found" });
  const again = recordIn(await create(path, body), 201);
  expect(again.id).not.toBe(id);
  must(await remove(`${path}/${again.id}`), 200);
};

describe("the whole life of one of", () => {
  it.each(named)("%s", async (path) => {
    const sample = sampleOf(path);
    const { scope, scopeId } = sample;
    const name = freshName("one");
    const body = sample.body(name);
    const created = await create(path, body);
    const first = recordIn(created, 201);
    const firstTag = etagOf(created);
    expect(first).toMatchObject({ ...body, name });
    const at = `${path}/${first.id}`;

    for (const read of [at, `${path}/${name}?${scope}=${scopeId}`, `${path}/${name}?location=${scopeId}`]) {
      const answer = await get(read);
      expect([read, answer.status, answer.body]).toEqual([read, 200, first]);
      expect(etagOf(answer)).toBe(firstTag);
    }

    const updated = await put(at, { ...sample.change(), display_name: "Second" }, firstTag);
    const second = recordIn(updated, 200);
    const secondTag = etagOf(updated);
    expect(secondTag).not.toBe(firstTag);
    expect(second).toMatchObject({ ...sample.change(), id: first.id, name, display_name: "Second" });

    expectStale(await put(at, { ...sample.change(), display_name: "Refused" }, firstTag));
    const unchanged = await get(at);
    expect([unchanged.body, etagOf(unchanged)]).toEqual([second, secondTag]);

    const forced = await put(at, { ...sample.change(), display_name: "Third" });
    const third = recordIn(forced, 200);
    expect(third["display_name"]).toBe("Third");
    expect([firstTag, secondTag]).not.toContain(etagOf(forced));

    const old = await get(`${at}?version=1`);
    expect([old.status, old.body, etagOf(old)]).toEqual([200, first, firstTag]);
    expectStale(await put(at, sample.change(), etagOf(old)));

    await expectListed(sample, third);
    await expectEnd(sample, third, body, secondTag);
  });

  it.each(nameless)("%s, which has neither name nor update nor version", async (path) => {
    const sample = sampleOf(path);
    const body = sample.body(freshName("one"));
    const created = await create(path, body);
    const record = recordIn(created, 201);
    expect(record).toMatchObject(body);
    const at = `${path}/${record.id}`;
    const read = await get(at);
    expect([read.status, read.body, etagOf(read)]).toEqual([200, record, etagOf(created)]);
    const wrong = await put(at, body, etagOf(created));
    expectRefusal(wrong, { status: 405, message: "Method Not Allowed", allow: "GET, HEAD, DELETE" });
    await expectListed(sample, record);
    await expectEnd(sample, record, body, '"stale"');
  });
});

describe.each(named)("an update of one of %s", (path) => {
  let at: string;
  let name: string;
  beforeAll(async () => {
    name = freshName("one");
    at = `${path}/${recordIn(await create(path, sampleOf(path).body(name)), 201).id}`;
  });
  afterAll(async () => void must(await remove(at), 200));

  it("keeps the display name that it does not bring, and falls back to the name for an empty one", async () => {
    const change = sampleOf(path).change();
    const shown = async (display_name?: unknown): Promise<unknown> =>
      recordIn(await put(at, display_name === undefined ? change : { ...change, display_name }), 200)[
        "display_name"
      ];
    expect(await shown("Two")).toBe("Two");
    expect(await shown()).toBe("Two");
    expect(await shown(null)).toBe("Two");
    expectRefusal(await put(at, { ...change, display_name: "x" }), {
      status: 422,
      message: "Unprocessable Entity",
      errors: ["display_name: 2-254 characters"],
    });
    expect(await get(at)).toMatchObject({ body: { display_name: "Two" } });
    expect(await shown("")).toBe(name);
    expect(await get(at)).toMatchObject({ body: { display_name: name } });
  });

  it("is one of two that come at once with one ETag", async () => {
    const etag = etagOf(await get(at));
    const answers = await Promise.all(
      ["Left", "Right"].map((display_name) => put(at, { ...sampleOf(path).change(), display_name }, etag)),
    );
    const [won, lost] = answers.toSorted((one, other) => one.status - other.status);
    if (won === undefined || lost === undefined) throw new Error("two answers expected");
    expectStale(lost);
    expect(recordIn(won, 200)).toEqual((await get(at)).body);
    expect(etagOf(won)).not.toBe(etag);
  });
});
