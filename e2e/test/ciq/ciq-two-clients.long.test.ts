import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openCensus, type Census } from "../../src/configuration/census.ts";
import { type OpenQuery, openQuery } from "../../src/configuration/open-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { long } from "../../src/long.ts";
import { capture } from "../../src/requests/capture.ts";
import type { Answer } from "../../src/requests/send.ts";
import { createTokenIssuer } from "../../src/tokens/token-issuer.ts";

/** Two clients that execute one writing query at the same moment, many times, and the same one after the other. */
const rounds = long(50, 1_000);
const turns = ["together", "in turn"] as const;
type Turn = (typeof turns)[number];

const ref = (type: string) => (external_id: string) => ({ type, external_id });
const [nurse, ward, chart] = [ref("Nurse"), ref("Ward"), ref("Chart")];
const charts = Array.from({ length: 8 }, (_, n) => chart(`c${n}`));

interface Place {
  readonly tenant: Tenant;
  readonly query: OpenQuery;
  readonly census: () => Promise<Census>;
  /** Bearers of the two clients. */
  readonly bearers: readonly string[];
}
const places = new Map<Turn, Place>();

const policy = {
  subject: { type: "Nurse" },
  condition: { cypher: "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)" },
  allowed_reads: { nodes: ["chart.external_id"] },
  allowed_upserts: {
    nodes: { existing_nodes: ["chart", "w"], node_types: ["Note"] },
    relationships: {
      relationship_types: [
        { type: "ABOUT", source_node_label: "Note", target_node_label: "Chart" },
        { type: "NEXT", source_node_label: "Note", target_node_label: "Ward" },
      ],
      existing_relationships: ["h"],
    },
  },
  allowed_deletes: { nodes: ["chart.property.draft"], relationships: ["h.note"] },
};
const query = {
  upsert_nodes: [
    { name: "chart", properties: [{ type: "round", value: "$round" }] },
    { name: "w", properties: [{ type: "round", value: "$round" }] },
    { name: "note", type: "Note", external_id: "$note", properties: [{ type: "round", value: "$round" }] },
  ],
  upsert_relationships: [
    {
      name: "about",
      source: "note",
      target: "chart",
      type: "ABOUT",
      properties: [{ type: "round", value: "$round" }],
    },
    { name: "next", source: "note", target: "w", type: "NEXT" },
    { name: "h", properties: [{ type: "round", value: "$round" }] },
  ],
  delete_nodes: ["chart.property.draft"],
  delete_relationships: ["h.note"],
  nodes: ["chart.external_id", "chart.property.round", "note.external_id", "note.property.round"],
  relationships: ["about.round", "h.round"],
};

const open = async (turn: Turn): Promise<void> => {
  const tenant = await createTenant("ciq-two-clients");
  const nurses = ["n1", "n2"];
  await capture(
    {
      nodes: [
        ...nurses.map(nurse),
        ward("w1"),
        ...charts.map((each) => ({ ...each, properties: [{ type: "draft", value: "d" }] })),
      ],
      relationships: [
        ...nurses.map((id) => ({ source: nurse(id), target: ward("w1"), type: "ON" })),
        ...charts.map((target) => ({
          source: ward("w1"),
          target,
          type: "HOLDS",
          properties: [{ type: "note", value: "n" }],
        })),
      ],
    },
    tenant,
  );
  const issuer = await createTokenIssuer(tenant.projectId, { ikg_node_type: "Nurse" });
  // As long as all rounds can take.
  const exp = Math.floor(Date.now() / 1000) + 3_600;
  places.set(turn, {
    tenant,
    query: await openQuery(tenant, policy, query),
    census: await openCensus(tenant),
    bearers: await Promise.all(nurses.map((id) => issuer.sign(id, { exp }))),
  });
};

beforeAll(() => Promise.all(turns.map(open)).then(() => undefined), 120_000);
afterAll(async () => {
  for (const { tenant } of places.values()) await tenant.remove();
});

const placeOf = (turn: Turn): Place => {
  const place = places.get(turn);
  if (place === undefined) throw new Error(`${turn}: the project was not made`);
  return place;
};

/** The graph without what differs between two projects: gids and times. */
const pictureOf = async ({ census }: Place): Promise<unknown> => {
  const { nodes, relationships } = await census();
  const own = /^n\.type$|^n\.external_id$|^n\.property\./;
  const plain = nodes
    .filter((row) => !String(row.nodes["n.type"]).startsWith("_"))
    .map((row) => JSON.stringify(Object.entries(row.nodes).filter(([path]) => own.test(path))));
  const edges = relationships
    .filter((row) => !String(row.nodes["a.external_id"]).startsWith("gid:"))
    .map((row) => JSON.stringify(row, (key, value: unknown) => (key.endsWith("_time") ? undefined : value)));
  return [plain.toSorted(), edges.toSorted()];
};

/** Both clients once, with the same values. */
const run = async (turn: Turn, round: number): Promise<readonly Answer[]> => {
  const { query: saved, bearers } = placeOf(turn);
  const input_params = { round, note: `note-${round % 5}` };
  const asks = bearers.map((bearer) => () => saved.ask({ bearer, input_params }));
  if (turn === "together") return Promise.all(asks.map((ask) => ask()));
  const answers: Answer[] = [];
  for (const ask of asks) answers.push(await ask());
  return answers;
};

describe("two clients that write the same at once", () => {
  it(
    `always get 200, each with its own rows, and leave what one after the other leaves (${rounds} times)`,
    async () => {
      for (let round = 1; round <= rounds; round++)
        for (const turn of turns)
          for (const { status, text } of await run(turn, round)) {
            const data = charts.map(({ external_id }) => ({
              nodes: {
                "chart.external_id": external_id,
                "chart.property.round": round,
                "note.external_id": `note-${round % 5}`,
                "note.property.round": round,
              },
              relationships: { "about.round": round, "h.round": round },
            }));
            expect([turn, round, status, text]).toEqual([turn, round, 200, JSON.stringify({ data })]);
          }
      const together = await pictureOf(placeOf("together"));
      expect(together).toEqual(await pictureOf(placeOf("in turn")));
      // Two nurses, a ward, charts and notes; their relationships.
      expect(together).toMatchObject([
        { length: 3 + charts.length + 5 },
        { length: 2 + charts.length + 5 * charts.length + 5 },
      ]);
    },
    long(120_000, 1_200_000),
  );

  it(
    "both delete the same, and one of them may find nothing any more",
    async () => {
      const { tenant, bearers } = placeOf("together");
      const deleting = await openQuery(
        tenant,
        { ...policy, allowed_deletes: { nodes: ["chart"] } },
        { delete_nodes: ["chart"], nodes: ["chart.external_id"] },
      );
      for (let round = 0; round < long(10, 100); round++) {
        await capture(
          {
            nodes: charts,
            relationships: charts.map((target) => ({ source: ward("w1"), target, type: "HOLDS" })),
          },
          tenant,
        );
        const answers = await Promise.all(bearers.map((bearer) => deleting.ask({ bearer })));
        const counts = answers.map(({ status, body }) => {
          expect([status, body]).toEqual([200, expect.anything()]);
          return (body as { data: unknown[] }).data.length;
        });
        // A client that matches before the other commits sees them all.
        expect(Math.max(...counts)).toBe(charts.length);
        for (const count of counts) expect([0, charts.length]).toContain(count);
        expect(await deleting.rows({ bearer: bearers[0] })).toEqual([]);
      }
    },
    long(120_000, 600_000),
  );
});
