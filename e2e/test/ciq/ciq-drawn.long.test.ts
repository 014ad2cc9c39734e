import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { IkgError } from "@ikg/client";
import type { ResultRow, Value } from "@ikg/contracts";
import fc from "fast-check";
import { openQuery, openQueryOf, type OpenQuery } from "../../src/configuration/open-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import {
  answeredRow,
  beyondLists,
  drawn,
  graphLines,
  type GraphSpec,
  type GraphState,
  pasteable,
  type PropertyState,
  plainOf,
  readOf,
  runs,
  seed,
  timeLimit,
  type WriteCase,
  writeCase,
  type WriteOutcome,
  writeOutcome,
  writePolicyJson,
  writeQueryJson,
  type WriteSpec,
} from "../../src/drawn-cases.ts";
import { long } from "../../src/long.ts";
import { capture } from "../../src/requests/capture.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { createTokenIssuer, type TokenIssuer } from "../../src/tokens/token-issuer.ts";

/**
 * Drawn policies, queries and graphs through the gateway: captured, saved and executed, the rows and the graph
 * afterwards held against the evaluator that shares nothing with the engine. Each query is run as it is, and
 * as one that only reads.
 */
const count = runs(long(30, 300));
const usualSeed = 3;
const inFlight = 3;

/** Values that a request may hold: names that requests cannot give are left out. */
const sendable = ({ inputs, spec, graph }: WriteCase): boolean => {
  const text = JSON.stringify([writePolicyJson(spec), writeQueryJson(spec)]);
  const inIds = graph.nodes.every(({ id }) => id.length > 0);
  // The issuer of these tests gives every token an `iat`.
  const { token } = inputs;
  if (token === undefined || (token["iat"] === undefined && text.includes("$token.iat"))) return false;
  // Objects are no input of queries; what is captured now was not created when the cases say, and the gids that it gets, by which a
  // LIMIT may choose, have another order.
  return inIds && !/\$o\b|\.id\b|\b(?:create|update)_time\b/.test(text);
};

const paramsOf = ({ params }: WriteCase["inputs"]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(plainOf(params) as Record<string, unknown>).filter(
      ([, value]) => typeof value !== "object" || Array.isArray(value),
    ),
  );

/** Applications and agents are nodes of the project like others: patterns without labels find them. */
const withPlatform = (graph: GraphSpec, { applicationId, agentId }: Tenant): GraphSpec => ({
  nodes: [
    ...graph.nodes,
    { type: "_Application", id: applicationId, labels: [], properties: {} },
    { type: "_AppAgent", id: agentId, labels: [], properties: {} },
  ],
  edges: [
    ...graph.edges,
    {
      source: `_AppAgent/${agentId}`,
      type: "_BELONGS_TO",
      target: `_Application/${applicationId}`,
      properties: {},
    },
  ],
});

const refOf = (key: string) => ({
  type: key.slice(0, key.indexOf("/")),
  external_id: key.slice(key.indexOf("/") + 1),
});

const captureSpec = ({ nodes, edges }: GraphSpec, tenant: Tenant): Promise<void> =>
  capture(
    {
      nodes: nodes.map(({ type, id, labels, properties }) => ({
        type,
        external_id: id,
        labels,
        properties: Object.entries(properties).map(([name, { value, metadata }]) => ({
          type: name,
          value: plainOf(value) as Value, // of the kinds that capture takes
          ...(metadata === undefined ? {} : { metadata: plainOf(metadata) as object }),
        })),
      })),
      relationships: edges.map(({ source, type, target, properties }) => ({
        source: refOf(source),
        type,
        target: refOf(target),
        properties: Object.entries(properties).map(([name, value]) => ({
          type: name,
          value: plainOf(value) as Value, // likewise
        })),
      })),
    },
    tenant,
  );

/** Everything that any node or relationship of these cases may hold. */
const names = [
  "n",
  "m",
  "s",
  "t",
  "b",
  "f",
  "l",
  "k",
  "x",
  "value",
  "metadata",
  "type",
  "external_id",
  "fresh",
  "outside",
];
const parts = ["source", "assurance_level", "verified_time", "custom"];
const edgeNames = ["w", "since", "note", "seen"];

interface Reader {
  read(): Promise<GraphState>;
}

/** A query of the application that reads every node, its properties and their metadata. */
const nodeQuery = (tenant: Tenant): Promise<OpenQuery> =>
  openQuery(
    tenant,
    {
      subject: { type: "_Application" },
      condition: {
        cypher:
          "MATCH (subject:_Application) MATCH (a) WITH subject, a, a:Extra AS extra, a:Rare AS rare, a:Other AS other",
      },
      allowed_reads: { nodes: ["a.*"], aggregate_values: ["extra", "rare", "other"] },
    },
    {
      nodes: [
        "a",
        ...names.flatMap((name) => [
          `a.property.${name}`,
          ...parts.map((part) => `a.property.${name}.metadata.${part}`),
        ]),
      ],
      aggregate_values: ["extra", "rare", "other"],
    },
  );

/** A query of the application that reads every relationship and its properties. */
const edgeQuery = (tenant: Tenant): Promise<OpenQuery> =>
  openQuery(
    tenant,
    {
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application) MATCH (a)-[r]->(b)" },
      allowed_reads: { nodes: ["a", "b"], relationships: ["r"] },
    },
    {
      nodes: ["a.type", "a.external_id", "b.type", "b.external_id"],
      relationships: ["r.type", ...edgeNames.map((name) => `r.${name}`)],
    },
  );

const propertiesIn = (row: ResultRow): Map<string, PropertyState> => {
  const properties: Map<string, PropertyState> = new Map();
  for (const name of names) {
    const value = row.nodes[`a.property.${name}`];
    const metadata = new Map(
      parts.flatMap((part) => {
        const held = row.nodes[`a.property.${name}.metadata.${part}`];
        return held === null ? [] : [[part, held as never] as const]; // a scalar or list
      }),
    );
    if (value !== null || metadata.size > 0)
      properties.set(name, { value: (value ?? undefined) as never, metadata }); // likewise
  }
  return properties;
};

const nodesIn = (rows: readonly ResultRow[]): GraphState["nodes"] => {
  const nodes: GraphState["nodes"] = new Map();
  for (const row of rows) {
    // A whole node has these members (docs/policy-language.md).
    const whole = row.nodes["a"] as { Labels: string[]; Props: Record<string, unknown> };
    nodes.set(`${String(whole.Props["type"])}/${String(whole.Props["external_id"])}`, {
      labels: new Set(whole.Labels.filter((label) => label !== whole.Props["type"])),
      identity: whole.Props["is_identity"] === true,
      properties: propertiesIn(row),
    });
  }
  return nodes;
};

const edgesIn = (rows: readonly ResultRow[]): GraphState["edges"] =>
  new Set(
    rows.map(({ nodes: ends, relationships: shown = {} }) => ({
      source: `${String(ends["a.type"])}/${String(ends["a.external_id"])}`,
      type: String(shown["r.type"]),
      target: `${String(ends["b.type"])}/${String(ends["b.external_id"])}`,
      properties: new Map(
        edgeNames.flatMap((name) => {
          const value = shown[`r.${name}`];
          return value === null ? [] : [[name, value as never] as const]; // a scalar or list
        }),
      ),
    })),
  );

/** Reads the whole graph with queries of the application. */
const openReader = async (tenant: Tenant): Promise<Reader> => {
  const node = await nodeQuery(tenant);
  const edge = await edgeQuery(tenant);
  return {
    read: async () => ({
      nodes: nodesIn(await node.rows({ page_size: 1_000 })),
      edges: edgesIn(await edge.rows({ page_size: 1_000 })),
    }),
  };
};

interface Place {
  readonly tenant: Tenant;
  readonly issuer: TokenIssuer;
  readonly reader: Reader;
}
const places: Place[] = [];

beforeAll(async () => {
  for (let n = 0; n < inFlight; n++) {
    const tenant = await createTenant("ciq-drawn");
    places.push({
      tenant,
      issuer: await createTokenIssuer(tenant.projectId, { ikg_node_type: "Nurse" }),
      reader: await openReader(tenant),
    });
  }
}, 120_000);
afterAll(async () => {
  for (const { tenant } of places) await tenant.remove();
});

const empty = async ({ tenant, reader }: Place): Promise<void> => {
  const { nodes } = await reader.read();
  const refs = [...nodes.keys()].map(refOf).filter(({ type }) => !type.startsWith("_"));
  if (refs.length > 0)
    expect((await withKey("/capture/v1/nodes/delete", tenant, { json: { nodes: refs } })).status).toBe(200);
};

/** No answer says which resolver a property names. */
const isShown = (line: string): boolean => !line.endsWith(" from a resolver");

/** What belongs to the platform: queries may link its nodes, and change nothing of it. */
const platformLines = ({ nodes, edges }: GraphState): readonly string[] =>
  graphLines({
    nodes: new Map([...nodes].filter(([key]) => key.startsWith("_"))),
    edges: new Set([...edges].filter(({ type }) => type.startsWith("_"))),
  });

/** Whether a query would write what is the platform's, which is refused whatever it would change of it. */
const writesPlatform = (spec: WriteSpec, { nodes, edges, before, after }: WriteOutcome): boolean => {
  const keys = [...spec.upsertNodes.map(({ name }) => name), ...spec.deleteNodes.map(({ alias }) => alias)]
    .flatMap((alias) => [...(nodes.get(alias) ?? [])])
    .concat(
      [...spec.upsertEdges.map(({ name }) => name), ...spec.deleteEdges.map(({ alias }) => alias)].flatMap(
        (alias) => [...(edges.get(alias) ?? [])].map(({ type }) => type),
      ),
    );
  return (
    keys.some((key) => key.startsWith("_")) || platformLines(before).join() !== platformLines(after).join()
  );
};

/** Runs one query and holds it against the evaluator. */
const judgeOne = async (
  place: Place,
  saved: OpenQuery,
  spec: WriteSpec,
  { graph, inputs }: WriteCase,
): Promise<{ readonly changed: boolean; readonly rows: number }> => {
  const { issuer, reader, tenant } = place;
  const whole = withPlatform(graph, tenant);
  const wanted = writeOutcome(spec, whole, inputs);
  const before = await reader.read();
  expect(graphLines(before)).toEqual(graphLines(wanted.before));
  const { sub, ...claims } = plainOf(inputs.token) as Record<string, unknown>;
  const execution = {
    bearer: await issuer.sign(String(sub), claims),
    input_params: paramsOf(inputs),
    page_size: 1_000,
  };
  if (writesPlatform(spec, wanted)) {
    await expect(saved.rows(execution)).rejects.toMatchObject({ status: 422 });
    expect(graphLines(await reader.read())).toEqual(graphLines(before));
    return { changed: false, rows: 0 };
  }
  const rows = await saved.rows(execution);
  const after = await reader.read();
  expect(rows.map(answeredRow).toSorted()).toEqual(wanted.rows.toSorted());
  expect(beyondLists(spec.lists, wanted, before, after)).toEqual([]);
  expect(graphLines(after)).toEqual(graphLines(wanted.after).filter(isShown));
  return { changed: graphLines(before).join() !== graphLines(after).join(), rows: rows.length };
};

/** True where a policy may take more steps or memory than an installation allows: what is drawn is not bounded. */
const isTooCostly = (error: unknown): boolean =>
  error instanceof IkgError &&
  error.status === 422 &&
  /\(EXPRESSION_(?:STEPS|MEMORY_BYTES)\)/.test(error.message);

/**
 * @returns undefined where the policy is refused for what it may cost
 * @throws Error that tells the case
 */
const judge = async (place: Place, each: WriteCase) => {
  try {
    const reading = readOf(each.spec);
    const writing = await openQuery(
      place.tenant,
      writePolicyJson(each.spec) as object,
      writeQueryJson(each.spec) as object,
    ).catch((error: unknown) => {
      if (isTooCostly(error)) return undefined;
      throw error;
    });
    if (writing === undefined) return undefined;
    await captureSpec(each.graph, place.tenant);
    const plain = await openQueryOf(place.tenant, writing.policyId, writeQueryJson(reading) as object);
    const read = await judgeOne(place, plain, reading, each);
    const written = await judgeOne(place, writing, each.spec, each);
    await empty(place);
    return { read, written };
  } catch (error) {
    const { spec, graph, inputs } = each;
    const counterexample = { policy: writePolicyJson(spec), query: writeQueryJson(spec), graph, inputs };
    throw new Error(
      `${error instanceof Error ? error.message : String(error)}\n${pasteable(counterexample)}`,
      {
        cause: error,
      },
    );
  }
};

describe("drawn queries over HTTP", () => {
  it(
    "answer and leave behind what the evaluator says",
    async () => {
      const waiting: WriteCase[] = fc
        .sample(drawn(writeCase), { numRuns: 2 * count, seed: seed() ?? usualSeed })
        .filter(sendable)
        .slice(0, count);
      let total = 0;
      const found = { read: 0, written: 0 };
      await Promise.all(
        places.map(async (place) => {
          for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
            const judged = await judge(place, each);
            if (judged === undefined) continue;
            const { read, written } = judged;
            total += 1;
            expect(read.changed).toBe(false);
            found.read += Number(read.rows > 0);
            found.written += Number(written.changed);
          }
        }),
      );
      process.stdout.write(
        `drawn over HTTP: ${total} queries that read, ${found.read} with rows; ${total} that write, ${found.written} changed the graph\n`,
      );
      expect(total).toBeGreaterThan(count / 2);
      expect(found.read / total).toBeGreaterThan(0.5);
      expect(found.written / total).toBeGreaterThan(0.5);
    },
    timeLimit(300_000),
  );
});
