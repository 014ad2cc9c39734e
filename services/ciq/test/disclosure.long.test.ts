import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import {
  metadataField,
  newProjectKey,
  projectLabel,
  propertyField,
  quoteName,
  relationshipField,
  typeLabel,
} from "@ikg/physical";
import fc from "fast-check";
import { median, percentile } from "../../../stack/src/measurement/statistics.ts";
import { type Call, type Json, openProject, openTestGraph, type TestProject } from "./ciq-under-test.ts";
import {
  ciqJson,
  drawn,
  type GraphSpec,
  type InputsSpec,
  pasteable,
  plainOf,
  queryGroup,
  type QueryGroup,
  queryJson,
  type QuerySpec,
  runs,
  seed,
  timeLimit,
  writeGraphs,
} from "./drawn-cases.ts";
import { isRefusedForCost } from "./refused-for-cost.ts";

/** What a policy neither makes readable nor asks about must not show in any answer: not in a byte, a status or an order. */
const count = runs(200, 24);
const usualSeed = 5;
const inFlight = 4;

let graph: Graph;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
});
afterAll(() => graph?.close());

const json = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json; // an object, as it is saved
const openEmpty = async (): Promise<TestProject> => {
  const here = await openProject(graph, { nodes: {}, edges: [] }, newProjectKey(randomBytes(8)));
  await here.drop();
  return here;
};

interface ReadCase {
  readonly graph: GraphSpec;
  readonly inputs: InputsSpec;
  readonly query: QuerySpec;
}

/** One query of a person, whose policy opens single paths. */
const caseOf = ({ graph: spec, inputs: [inputs], queries }: QueryGroup): readonly ReadCase[] =>
  inputs === undefined
    ? []
    : queries
        .filter(({ subjectType }) => !subjectType.startsWith("_"))
        .slice(0, 2)
        .map((query) => ({ graph: spec, inputs, query: { ...query, wide: false } }))
        .filter(({ query }) => !isRefusedForCost(json(ciqJson(query)), json(queryJson(query))));

const nodeProperties = ["n", "m", "s", "t", "b", "f", "l", "k", "x"];
const edgeProperties = ["since", "note", "w"];
const labels = ["Extra", "Rare"];

/** Stored values, which a policy may or may not ask about, and what is done to them, each in turn. */
interface Values {
  /** Words one of which every policy holds that asks about these values. */
  readonly words: readonly string[];
  /** Whole nodes and relationships, which aggregates show, hold them. */
  readonly ofWhole: boolean;
  readonly turns: readonly ((pk: TestProject["pk"]) => string)[];
}

const nodes = (pk: TestProject["pk"]): string =>
  `MATCH (n:${quoteName(projectLabel(pk))}) WHERE NOT n.type STARTS WITH '_'`;
const edges = (pk: TestProject["pk"]): string => `MATCH (:${quoteName(projectLabel(pk))})-[n]->() WHERE true`;

/** One field of every element: another value of each, a text, a number, nothing. */
const turnsOf = (match: typeof nodes, field: string, own: string): Values["turns"] =>
  [
    `SET n.${quoteName(field)} = ${own}`,
    `SET n.${quoteName(field)} = 'zz'`,
    `SET n.${quoteName(field)} = -7`,
    `REMOVE n.${quoteName(field)}`,
  ].map((change) => (pk) => `${match(pk)} ${change}`);

const stored: readonly Values[] = [
  ...nodeProperties.map((name) => ({
    words: [name],
    ofWhole: false,
    turns: turnsOf(nodes, propertyField(name), "reverse(n._key)"),
  })),
  ...["n", "s"].map((name) => ({
    words: ["source"],
    ofWhole: false,
    turns: turnsOf(nodes, metadataField(name, "source"), "reverse(n._key)"),
  })),
  ...edgeProperties.map((name) => ({
    words: [name],
    ofWhole: true,
    turns: turnsOf(edges, relationshipField(name), "reverse(elementId(n))"),
  })),
  ...labels.map((name) => ({
    // A negated label, or any label, asks about every label.
    words: [name, "!", "%"],
    ofWhole: true,
    turns: ["SET", "REMOVE"].map(
      (verb) => (pk: TestProject["pk"]) => `${nodes(pk)} ${verb} n:${quoteName(typeLabel(name, pk))}`,
    ),
  })),
  {
    words: ["trust_score"],
    ofWhole: false,
    turns: ["rand()", "-1", "'x'"].map(
      (value) => (pk) =>
        `MATCH (n:${quoteName(typeLabel("_TrustScore", pk))}) SET n._final_score = ${value}, n._origin = ${value}`,
    ),
  },
];
const turns = Math.max(...stored.map((values) => values.turns.length));

const asks = (text: string, words: readonly string[]): boolean =>
  words.some((word) =>
    /^\w+$/.test(word)
      ? new RegExp(`(?<![A-Za-z0-9_])${word}(?![A-Za-z0-9_])`).test(text)
      : text.includes(word),
  );

/** What may change without the policy knowing. */
const hiddenFrom = (policy: unknown, query: unknown, showsWhole: boolean): readonly Values[] => {
  const text = JSON.stringify([policy, query]);
  return stored.filter(({ words, ofWhole }) => !asks(text, words) && !(ofWhole && showsWhole));
};

/** Pages of an answer, as they are sent. */
const answersOf = async (here: TestProject, policy: Json, query: Json, call: Call): Promise<string> => {
  const pages = [
    { pageSize: 1_000, pageToken: 0 },
    { pageSize: 2, pageToken: 2 },
  ];
  const answers: string[] = [];
  for (const page of pages)
    answers.push(JSON.stringify(await here.execute(policy, query, { ...call, ...page })));
  return answers.join("\n");
};

const callOf = ({ params, token }: InputsSpec): Call => ({
  params: plainOf(params) as Json,
  token: (plainOf(token) as Json | undefined) ?? null,
});

/** How many changes were tried on a case, and how many rows it has. @throws Error that tells the case */
const judge = async ({ graph: spec, inputs, query: drawnQuery }: ReadCase) => {
  const [policy, query] = [json(ciqJson(drawnQuery)), json(queryJson(drawnQuery))];
  const showsWhole = drawnQuery.projections.some(({ kind }) => kind === "value");
  const hidden = hiddenFrom(policy, query, showsWhole);
  const here = await openEmpty();
  try {
    await writeGraphs(graph, [[here.pk, spec]]);
    const first = await answersOf(here, policy, query, callOf(inputs));
    const changed = async (values: readonly Values[], turn: number): Promise<string> => {
      for (const each of values) {
        const change = each.turns[turn];
        if (change !== undefined) await here.run(change(here.pk));
      }
      return answersOf(here, policy, query, callOf(inputs));
    };
    for (let turn = 0; turn < turns; turn++) {
      const again = await changed(hidden, turn);
      if (again !== first)
        throw new Error(
          `change ${turn} of ${JSON.stringify(hidden)} shows:\n${first}\n${again}\n${pasteable({ policy, query, graph: spec, inputs })}`,
        );
    }
    // The same changes of what it does ask about; a value of another kind may not even be one that it can ask.
    const visible = stored.filter((each) => !hidden.includes(each));
    const shows = await changed(visible, 0).then(
      (again) => again !== first,
      () => true,
    );
    return { tried: hidden.length, hasRows: !first.startsWith("[]"), shows };
  } finally {
    await here.drop();
  }
};

describe("answers", () => {
  it(
    "do not change with what their policy neither opens nor asks about",
    async () => {
      const groups = fc.sample(drawn(queryGroup), {
        numRuns: count,
        seed: seed() ?? usualSeed,
      });
      const waiting = groups.flatMap(caseOf).slice(0, count);
      const found = { cases: 0, tried: 0, withRows: 0, showing: 0 };
      await Promise.all(
        Array.from({ length: inFlight }, async () => {
          for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
            const { tried, hasRows, shows } = await judge(each);
            found.cases += 1;
            found.tried += tried;
            found.withRows += Number(hasRows);
            found.showing += Number(shows);
          }
        }),
      );
      process.stdout.write(
        `disclosure: ${found.cases} cases, ${found.withRows} with rows, ${found.tried} kinds of hidden values\n`,
      );
      // Or little was tried; a few draws differ from each other by chance.
      const chance = 2 / Math.sqrt(found.cases);
      expect(found.withRows / found.cases).toBeGreaterThan(0.5 - chance);
      expect(found.tried / found.cases).toBeGreaterThan(5);
      // What is asked about does show, or no change would.
      expect(found.showing / found.cases).toBeGreaterThan(Math.max(0, 0.2 - chance));
    },
    timeLimit(300_000),
  );
});

/** Wards with charts of secret titles and ranks; who is on a ward may see which charts it holds, and nothing of them. */
const hospital = {
  nodes: {
    "Nurse/n1": { pin: "0000" },
    "Ward/w1": {},
    "Ward/w2": {},
    ...Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((n) => [`Chart/c${n}`, { title: `Title ${n}`, rank: 10 - n }]),
    ),
  },
  edges: [
    ["Nurse/n1", "ON", "Ward/w1"],
    ...[1, 2, 3].map((n) => ["Ward/w1", "HOLDS", `Chart/c${n}`] as const),
    ...[4, 5, 6].map((n) => ["Ward/w2", "HOLDS", `Chart/c${n}`] as const),
  ],
} as const;
const policy = {
  subject: { type: "Nurse" },
  condition: { cypher: "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[:HOLDS]->(chart:Chart)" },
  allowed_reads: { nodes: ["chart.external_id"] },
};
const nodesOnly = { nodes: ["chart.external_id"] };
const about = { ...nodesOnly, filter: { attribute: "chart.external_id", operator: "=", value: "$chart" } };

describe("the order of rows", () => {
  it("does not follow the ids of nodes that the policy does not open", async () => {
    const here = await openProject(graph, {
      nodes: {
        "Nurse/n1": {},
        "Ward/w1": {},
        "Ward/w2": {},
        "Chart/c1": { title: "B" },
        "Chart/c2": { title: "A" },
        "Chart/c3": { title: "A" },
      },
      edges: [
        ["Nurse/n1", "ON", "Ward/w1"],
        ["Nurse/n1", "ON", "Ward/w2"],
        ...["c1", "c2"].map((id) => ["Ward/w1", "HOLDS", `Chart/${id}`] as const),
        ...["c1", "c3"].map((id) => ["Ward/w2", "HOLDS", `Chart/${id}`] as const),
      ],
    });
    try {
      const open = { ...policy, allowed_reads: { nodes: ["chart.property.title"] } };
      const query = { nodes: ["chart.property.title"] };
      const before = await answersOf(here, open, query, {});
      for (const [id, other] of [
        ["w1", "w9"],
        ["w2", "w0"],
        ["w9", "w5"],
      ])
        await here.run("MATCH (n:_Node {_key: $k}) SET n.external_id = $other, n._key = $prefix + $other", {
          k: `${here.pk}/Ward/${id}`,
          prefix: `${here.pk}/Ward/`,
          other,
        });
      expect(await answersOf(here, open, query, {})).toBe(before);
    } finally {
      await here.drop();
    }
  });
});

describe("refusals", () => {
  const widened = { ...nodesOnly, nodes: ["chart.external_id", "chart.property.title"] };
  const strict = {
    ...policy,
    condition: {
      ...policy.condition,
      token_filter: { attribute: "$token.acr", operator: "=", value: "high", advice: { error: "x" } },
    },
  };
  const refused: Readonly<Record<string, readonly [Json, Json, Call]>> = {
    "of a parameter that is not given": [policy, about, {}],
    "of a list that is none": [
      policy,
      { ...nodesOnly, filter: { attribute: "chart.external_id", operator: "IN", value: "$chart" } },
      { params: { chart: "c4" } },
    ],
    "of a path that may not be read": [policy, widened, {}],
    "of a filter on a value that may not be read": [
      policy,
      { ...nodesOnly, filter: { attribute: "chart.property.rank", operator: ">", value: 5 } },
      {},
    ],
    "of a write that is not allowed": [
      policy,
      { upsert_nodes: [{ name: "chart", properties: [{ type: "rank", value: 1 }] }] },
      {},
    ],
    "of a caller without a bearer": [policy, nodesOnly, { token: null }],
    "of a token that the policy does not accept": [strict, nodesOnly, {}],
  };

  it.each(Object.keys(refused))("%s look the same whatever the data holds", async (name) => {
    const [of, query, call] = refused[name] ?? [];
    if (of === undefined || query === undefined || call === undefined) throw new Error("no such refusal");
    const [full, empty] = [
      await openProject(graph, hospital),
      await openProject(graph, { nodes: {}, edges: [] }),
    ];
    try {
      const tell = async (here: TestProject): Promise<string> => {
        const { status, message, errors, headers } = await here.refusal(of, query, call);
        return JSON.stringify({ status, message, errors, headers });
      };
      const first = await tell(full);
      expect(await tell(empty)).toBe(first);
      await full.run(`MATCH (n:${quoteName(typeLabel("Chart", full.pk))}) SET n.title = 7, n.rank = 'x'`);
      expect(await tell(full)).toBe(first);
      expect(first).not.toMatch(/Title|"rank"|c4/);
    } finally {
      await full.drop();
      await empty.drop();
    }
  });
});

describe("the time of an answer", () => {
  const pairs = 200;
  /** A busy machine may spoil one measurement, not three. */
  const tries = 3;

  it.each([
    ["is the same for what is hidden and for what is not there", "c4", "c9"],
    ["is the same for what is hidden and for what cannot exist", "c5", "no such chart"],
  ])("%s", async (_name, hidden, absent) => {
    const here = await openProject(graph, hospital);
    try {
      const ask = async (chart: string): Promise<number> => {
        const begun = performance.now();
        expect(await here.execute(policy, about, { params: { chart } })).toEqual([]);
        return performance.now() - begun;
      };
      for (let warm = 0; warm < 50; warm++) await ask(warm % 2 === 0 ? hidden : absent);
      const seen: string[] = [];
      for (let attempt = 1; attempt <= tries; attempt++) {
        const [other, same]: [number[], number[]] = [[], []];
        for (let pair = 0; pair < pairs; pair++) {
          // Both orders, so that what comes first has no advantage.
          const first = await ask(hidden);
          const [b, c] =
            pair % 2 === 0
              ? [await ask(absent), await ask(hidden)]
              : [await ask(hidden), await ask(absent)].toReversed();
          if (b === undefined || c === undefined) throw new Error("both were asked");
          other.push(b - first);
          same.push(c - first);
        }
        const sorted = same.toSorted((x, y) => x - y);
        const middle = median(other);
        const [low, high] = [percentile(sorted, 0.25), percentile(sorted, 0.75)];
        if (low <= middle && middle <= high) return;
        seen.push(`${middle.toFixed(3)} ms outside of ${low.toFixed(3)} to ${high.toFixed(3)} ms`);
      }
      throw new Error(seen.join("; "));
    } finally {
      await here.drop();
    }
  });
});
