import { describe, expect, it } from "@jest/globals";
import type { ResultRow } from "@ikg/contracts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import {
  tenant,
  books,
  save,
  bearer,
  useLibraryTown,
  book,
  reader,
} from "../../src/fixtures/library-town.ts";
import { capture } from "../../src/requests/capture.ts";
import { execute, executePage, tryExecute } from "../../src/requests/execute.ts";
import { must } from "../../src/requests/must.ts";
import { requireRefusal, requireSound } from "../../src/requests/refusal.ts";

useLibraryTown();

describe("queries", () => {
  const ciq = (cypher: string, condition: object, reads: object, type = "Reader") => ({
    meta: { policy_version: "1.0-ciq" },
    subject: { type },
    condition: { cypher, ...condition },
    allowed_reads: reads,
  });
  const own = { attribute: "subject.external_id", operator: "=", value: "$token.sub" };
  const keeping = "MATCH (subject:Reader)-[m:MEMBER_OF]->(l:Library)-[:KEEPS]->(b:Book)";
  const saveReading = async (policy: object, query: object, name?: string): Promise<string> => {
    const policyId = await save(policy);
    return saveQuery(tenant.projectId, { policyId, query, ...(name === undefined ? {} : { name }) });
  };

  it("show a person what the policy lets her see", async () => {
    const reads = { nodes: ["b.*", "subject.property.name"], relationships: ["m"] };
    const cheap = { attribute: "b.property.fee", operator: "<=", value: "$max_fee" };
    const query = {
      nodes: ["subject.property.name", "b.external_id", "b.property.fee", "b.property.none"],
      relationships: ["m.type"],
      filter: cheap,
    };
    const id = await saveReading(ciq(keeping, { filter: [own] }, reads), query, "my-books");
    const row = (name: string, fee: number) => ({
      nodes: {
        "subject.property.name": name,
        "b.external_id": `book-${fee}`,
        "b.property.fee": fee,
        "b.property.none": null,
      },
      relationships: { "m.type": "MEMBER_OF" },
    });
    const ask = async (sub: string, max_fee: unknown) =>
      execute({ id: "my-books", input_params: { max_fee } }, await bearer(sub));
    expect(await ask("ida", 1)).toEqual([row("IDA", 0), row("IDA", 1)]);
    expect(await ask("jon", 5)).toEqual([row("JON", 5)]);
    expect(await ask("jon", 0)).toEqual([]);
    expect(await ask("jon", "9")).toEqual([]);
    expect(await ask("kim", 9)).toEqual([]);
    expect(await ask("nobody", 9)).toEqual([]);
    const missing = await tryExecute({ id }, await bearer("ida"));
    expect(requireRefusal(missing, 422)).toEqual(["missing or wrong input params, 'max_fee'"]);
    const anonymous = await tryExecute({ id, input_params: { max_fee: 1 } }, tenant);
    requireRefusal(anonymous, 401);
    expect(anonymous.headers.get("www-authenticate")).toMatch(/^Bearer( realm="[^"]+")?$/);
    expect(anonymous.body).toEqual({ message: "bearer token required" });
    requireRefusal(await tryExecute({ id: "nothing" }, tenant), 404);
    const broken = await tryExecute({ id, input_params: { max_fee: 1 } }, { key: tenant.key, bearer: "x" });
    requireRefusal(broken, 401);
  });

  it("pin a person that the policy does not name to the token's subject", async () => {
    const id = await saveReading(ciq(keeping, {}, { nodes: ["subject.external_id"] }), {
      nodes: ["subject.external_id"],
    });
    const rows = await execute({ id }, await bearer("jon"));
    expect(rows).toEqual([
      { nodes: { "subject.external_id": "jon" } },
      { nodes: { "subject.external_id": "jon" } },
    ]);
  });

  it("answer the application without a token, and judge one that is sent", async () => {
    const reads = { nodes: ["b.external_id"] };
    const id = await saveReading(
      ciq("MATCH (subject:_Application) MATCH (b:Book)", {}, reads, "_Application"),
      reads,
      "all-books",
    );
    expect(await execute({ id }, tenant)).toHaveLength(7);
    expect(await execute({ id }, await bearer("ida"))).toHaveLength(7);
    requireRefusal(await tryExecute({ id }, { key: tenant.key, bearer: "x" }), 401);
  });

  describe("pages", () => {
    const ids = async (page_size?: number, page_token?: number) => {
      const page = {
        ...(page_size === undefined ? {} : { page_size }),
        ...(page_token === undefined ? {} : { page_token }),
      };
      return (await executePage({ id: "all-books", ...page }, tenant)).map(
        ({ nodes }) => nodes["b.external_id"],
      );
    };
    const all = books.map(({ id }) => id);

    it("together are one large page, in one order", async () => {
      expect(await ids()).toEqual(all);
      for (let size = 1; size <= 8; size++) {
        const pages = await Promise.all(
          Array.from({ length: Math.ceil(all.length / size) + 1 }, (_, at) => ids(size, at * size)),
        );
        expect(pages.flat()).toEqual(all);
        expect(pages.at(-1)).toEqual([]);
        expect(pages.slice(0, -2).every((page) => page.length === size)).toBe(true);
      }
    });

    it("keep apart rows that look alike", async () => {
      await capture(
        {
          nodes: [],
          relationships: ["mon", "tue"].map((value) => ({
            source: reader("ida"),
            target: book("book-0"),
            type: "LENT",
            properties: [
              { type: "day", value },
              { type: "discriminating_property", value: "day" },
            ],
          })),
        },
        tenant,
      );
      const cypher =
        "MATCH (subject:_Application) MATCH (l:Library)-[:KEEPS]->(b:Book) OPTIONAL MATCH (l)<-[:MEMBER_OF]-(r:Reader) OPTIONAL MATCH (b)<-[t:LENT]-(r)";
      const policy = ciq(cypher, {}, { nodes: ["l.external_id"] }, "_Application");
      const id = await saveReading(policy, { nodes: ["l.external_id"] });
      const rows = await execute({ id }, tenant);
      expect(rows.length).toBeGreaterThan(books.length);
      for (const page_size of [1, 2, 5]) {
        const pages = await Promise.all(
          rows.map((_, at) => executePage({ id, page_size, page_token: at * page_size }, tenant)),
        );
        expect(pages.flat()).toEqual(rows);
      }
    });

    it("begin at the row of their token; below 1, 0 and 1 are the first page", async () => {
      for (const token of [-5, -1, 0, 1]) expect(await ids(3, token)).toEqual(all.slice(0, 3));
      for (const token of [2, 3, 4, 6]) expect(await ids(3, token)).toEqual(all.slice(token, token + 3));
      expect(await ids(3, 7)).toEqual([]);
      // Pages of one row: 1 is the second of them.
      for (const token of [0, 1, 2]) expect(await ids(1, token)).toEqual([all[token]]);
    });

    it("without a usable size have 100 rows", async () => {
      for (const size of [0, -1]) expect(await ids(size, 0)).toEqual(all);
    });
  });

  it("ask for a fresh sign-in before anything else", async () => {
    const fresh = {
      operator: "AND",
      operands: [
        {
          attribute: "$token.auth_age",
          operator: "<=",
          value: 300,
          advice: { error: "insufficient_user_authentication", error_description: 'sign in "again"' },
        },
        { attribute: "$token.acr", operator: "=", value: "gold" },
      ],
    };
    const reads = { nodes: ["b.external_id"] };
    const filter = [own, { attribute: "b.property.fee", operator: "<=", value: "$max_fee" }];
    const id = await saveReading(ciq(keeping, { filter, token_filter: fresh }, reads), reads);
    const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;
    const ask = async (claims: object, input_params: Readonly<Record<string, unknown>> = { max_fee: 0 }) =>
      tryExecute({ id, input_params }, await bearer("ida", { ...claims }));
    expect(await ask({ auth_time: ago(100), acr: "gold" })).toMatchObject({
      status: 200,
      body: { data: [{ nodes: { "b.external_id": "book-0" } }] },
    });
    for (const [claims, parameters] of [
      [{ auth_time: ago(400), acr: "gold" }, 'max_age="300"'],
      [{ acr: "gold" }, 'max_age="300"'],
      [{ auth_time: ago(100) }, 'acr_values="gold"'],
      [{}, 'max_age="300", acr_values="gold"'],
    ] as const) {
      // Parameters are looked at later: that one is missing too is not said.
      const answer = await ask(claims, {});
      requireRefusal(answer, 401);
      const header = answer.headers.get("www-authenticate") ?? "";
      expect(header).toMatch(
        /^Bearer error="insufficient_user_authentication", error_description="[^"\\]*(\\"[^"\\]*)*"/,
      );
      expect(header).toContain(parameters);
      expect(Object.keys(answer.body as object)).toEqual(["message"]);
    }
    requireRefusal(await ask({ auth_time: ago(100), acr: "gold" }, {}), 422);
    const anonymous = await tryExecute({ id, input_params: { max_fee: 0 } }, tenant);
    expect(anonymous.headers.get("www-authenticate")).toMatch(/^Bearer( realm="[^"]+")?$/);
  });

  it("count", async () => {
    const reads = { nodes: ["l.external_id"], aggregate_values: ["number"] };
    const cypher =
      "MATCH (subject:_Application) MATCH (l:Library)-[:KEEPS]->(b:Book) WITH subject, l, count(b) AS number";
    const id = await saveReading(ciq(cypher, {}, reads, "_Application"), reads);
    expect(await execute({ id }, tenant)).toEqual([
      { nodes: { "l.external_id": "north" }, aggregate_values: { number: 5 } },
      { nodes: { "l.external_id": "south" }, aggregate_values: { number: 2 } },
    ]);
  });

  it("show a whole node and a whole relationship without physical names", async () => {
    const reads = { nodes: ["l"], relationships: ["k"] };
    const cypher =
      "MATCH (subject:_Application) MATCH (l:Library {external_id: 'north'})-[k:KEEPS]->(:Book {external_id: 'book-0'})";
    const id = await saveReading(ciq(cypher, {}, reads, "_Application"), reads);
    const answer = await tryExecute({ id }, tenant);
    requireSound(answer);
    const [row] = must<{ data: ResultRow[] }>(answer, 200).data;
    const time = expect.stringMatching(/Z$/);
    expect(row?.nodes["l"]).toEqual({
      Id: expect.any(Number),
      ElementId: expect.any(String),
      Labels: ["Library"],
      Props: {
        external_id: "north",
        type: "Library",
        id: expect.stringMatching(/^gid:/),
        create_time: time,
        update_time: time,
        is_identity: false,
      },
    });
    expect(row?.relationships?.["k"]).toEqual({
      Id: expect.any(Number),
      ElementId: expect.any(String),
      StartId: expect.any(Number),
      StartElementId: expect.any(String),
      EndId: expect.any(Number),
      EndElementId: expect.any(String),
      Type: "KEEPS",
      Props: { create_time: time, update_time: time },
    });
  });

  it("show user properties that are named like fields of IKG under their own paths alone", async () => {
    const source = { type: "Odd", external_id: "a" };
    const target = { type: "Odd", external_id: "b" };
    const properties = [
      { type: "type", value: "mine" },
      { type: "create_time", value: "never" },
    ];
    await capture(
      { nodes: [source, target], relationships: [{ source, target, type: "HAS", properties }] },
      tenant,
    );
    const reads = { relationships: ["r.type", "r.*"] };
    const id = await saveReading(
      ciq("MATCH (subject:_Application) MATCH (:Odd)-[r]->()", {}, reads, "_Application"),
      reads,
    );
    const [row] = await execute({ id }, tenant);
    expect(row?.relationships).toMatchObject({
      "r.type": "HAS",
      "r.create_time": expect.stringMatching(/Z$/),
    });
  });
});
