import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { corpusFolder, corpusIsAbsent } from "../../../stack/src/testing/corpus.ts";
import { type Call, type Json, openProject, openTestGraph, type TestProject } from "./ciq-under-test.ts";

interface Entry {
  readonly id: string;
  readonly policy?: Json;
  readonly query?: Json;
  readonly paired_with?: string | null;
}

/** Queries that people have written; they are read, and nothing of them is kept here. */
const entries: readonly Entry[] =
  corpusFolder === undefined
    ? []
    : // The shape is the one that its README states.
      (JSON.parse(readFileSync(join(corpusFolder, "snippets", "policies.json"), "utf8")) as Entry[]);

let graph: Graph;
let here: TestProject;

const run = (id: string, call: Call = {}) => {
  const entry = entries.find((each) => each.id === id);
  const policy = entries.find((each) => each.id === entry?.paired_with)?.policy;
  if (policy === undefined || entry?.query === undefined) throw new Error(`${id} is not in the corpus`);
  return here.execute(policy, entry.query, call);
};

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  here = await openProject(graph, {
    nodes: {
      "Person/p1": {},
      "Car/k1": {},
      "LicenseNumber/l1": {},
      "Track/t1": {},
      "Venue/v1": {},
      "Venue/v2": {},
      "Company/co": {},
      "Vehicle/ve": {},
    },
    edges: [
      ["Person/p1", "OWNS", "Car/k1"],
      ["Car/k1", "HAS", "LicenseNumber/l1"],
      ["Track/t1", "PLAYED_AT", "Venue/v1"],
      ["Company/co", "OWNS", "Vehicle/ve"],
    ],
  });
  await here.run(
    "MATCH (a:_Node {_key: $a}) MATCH (c:_Node {_key: $c}) CREATE (a)-[:HAS_AGREEMENT_WITH]->(c)",
    {
      a: `${here.pk}/_Application/${here.application}`,
      c: `${here.pk}/Company/co`,
    },
  );
});
afterAll(async () => {
  await here.drop();
  await graph.close();
});

const person = { token: { sub: "p1", iss: "https://idp.example" } };
const application = { token: null };
const whole = expect.objectContaining({ ElementId: expect.any(String) as unknown }) as unknown;

// Skipped, with the reason in its name, where the corpus is not there.
const withCorpus = corpusIsAbsent === undefined ? describe : describe.skip;
const reason = corpusIsAbsent === undefined ? "" : ` (skipped: ${corpusIsAbsent})`;

withCorpus(`writing queries of the corpus${reason}`, () => {
  it("update a person, and echo it without allowed_reads", async () => {
    const params = { new_music_mood: "calm", new_dance_skill: 3 };
    expect(await run("query-087", { ...person, params })).toEqual([
      { nodes: { "subject.property.music_mood": "calm", "subject.property.dance_skill": 3 } },
    ]);
  });

  it("update a relationship", async () => {
    const params = { track_external_id: "t1", venue_external_id: "v1", first_played_at: "2026-01-01" };
    const [row] = await run("query-088", { ...application, params });
    expect(row?.relationships?.["r"]).toMatchObject({
      Type: "PLAYED_AT",
      Props: { verified: true, first_played_at: "2026-01-01" },
    });
  });

  it("create a node and link it, and repeat it as an upsert", async () => {
    const params = {
      contract_external_id: "ct1",
      contractNumber: "n1",
      vehicleID: "ve",
      personID: "p1",
    };
    const expected = [
      {
        nodes: { "contract.external_id": "ct1", "contract.property.number": "n1" },
        relationships: { r3: whole, r4: whole },
      },
    ];
    expect(await run("query-089", { ...application, params })).toEqual(expected);
    expect(await run("query-089", { ...application, params })).toEqual(expected);
    expect(await here.edges("Person/p1", "ACCEPTED", "Contract/ct1")).toHaveLength(1);
  });

  it("create a node alone", async () => {
    const params = { track_external_id: "t9", track_title: "Nine", track_loudness: -5.5 };
    const [row] = await run("query-090", { ...application, params });
    expect(row?.nodes["newTrack"]).toMatchObject({ Labels: ["Track"], Props: { external_id: "t9" } });
    await expect(run("query-090", { ...application, params: { track_title: "x" } })).rejects.toMatchObject({
      status: 422,
      errors: [
        "missing or wrong input params, 'track_external_id'",
        "missing or wrong input params, 'track_loudness'",
      ],
    });
  });

  it("link two nodes, and echo their ids", async () => {
    const params = { track_external_id: "t1", venue_external_id: "v2" };
    expect(await run("query-091", { ...application, params })).toEqual([
      {
        nodes: { "track.external_id": "t1", "venue.external_id": "v2" },
        relationships: { newPlayedAt: whole },
      },
    ]);
  });

  it("delete a property, twice", async () => {
    expect(await run("query-092", person)).toEqual([{ nodes: {} }]);
    expect((await here.node("Person/p1"))?.fields).not.toHaveProperty("music_mood");
    expect(await run("query-092", person)).toEqual([{ nodes: {} }]);
  });

  it("write metadata, values of the token among them", async () => {
    const params = { status: "valid", ln_number: "A1", ln_external_id: "l1" };
    expect(await run("query-094", { ...person, params })).toEqual([
      {
        nodes: {
          "ln.property.license": "A1",
          "ln.property.license.metadata.source": "The government",
          "ln.property.status": "valid",
          "ln.property.status.metadata.assurance_level": 2,
          "ln.property.status.metadata.somethingImportant": "supercoolvalue",
          "ln.property.status.metadata.source": "https://idp.example",
        },
      },
    ]);
  });
});
