import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { type Answer, type CiqProcess, startCiqProcess, tokenIssuer } from "./ciq-process.ts";
import { type Json, openProject, openTestGraph, type TestProject } from "./ciq-under-test.ts";
import { type StoredProject, storeProject } from "./stored-project.ts";

/** What one call is made of; each step of a call can fail by one of these. */
interface Made {
  readonly permissions: readonly ("ContXIQ" | "Capture")[];
  readonly pageSize: unknown;
  readonly consistencyToken: string | undefined;
  readonly query: "known" | "unknown";
  readonly state: "active" | "inactive" | "draft" | "idle";
  readonly text: "fitting" | "outdated";
  readonly bearer: "good" | "forged" | "none";
  /** Claim of the bearer. */
  readonly level: number;
  readonly params: { readonly least?: number; readonly max?: number; readonly divisor: number };
}

interface Fault {
  /** Step and what is wrong. */
  readonly name: string;
  readonly make: (good: Made) => Partial<Made>;
  readonly status: number;
  /** Of the answer. */
  readonly body: Json;
  readonly challenge?: string;
}

const good: Made = {
  permissions: ["ContXIQ"],
  pageSize: 10,
  consistencyToken: undefined,
  query: "known",
  state: "active",
  text: "fitting",
  bearer: "good",
  level: 3,
  params: { least: 2, max: 5, divisor: 1 },
};

const missing = (name: string): Json => ({
  message: "Unprocessable Entity",
  errors: [`missing or wrong input params, '${name}'`],
});
const notFound: Json = { message: "Not Found", errors: ["id: knowledge query not found"] };

/** In the order in which they have to be found. */
const faults: readonly Fault[] = [
  {
    name: "1: no permission",
    make: () => ({ permissions: ["Capture"] }),
    status: 403,
    body: { message: "permission missing: ContXIQ" },
  },
  {
    name: "2: body",
    make: () => ({ pageSize: 1001 }),
    status: 400,
    body: { message: "Bad Request", errors: ["page_size: 1-1000"] },
  },
  {
    name: "2: consistency token",
    make: () => ({ consistencyToken: "x" }),
    status: 400,
    body: { message: "Bad Request", errors: ["X-Consistency-Token: not a token of this project"] },
  },
  { name: "3: unknown query", make: () => ({ query: "unknown" }), status: 404, body: notFound },
  { name: "4: query INACTIVE", make: () => ({ state: "inactive" }), status: 404, body: notFound },
  { name: "4: query DRAFT", make: () => ({ state: "draft" }), status: 404, body: notFound },
  { name: "4: policy INACTIVE", make: () => ({ state: "idle" }), status: 404, body: notFound },
  {
    name: "5: no bearer",
    make: () => ({ bearer: "none" }),
    status: 401,
    body: { message: "bearer token required" },
    challenge: 'Bearer realm="ciq"',
  },
  {
    name: "5: forged bearer",
    make: () => ({ bearer: "forged" }),
    status: 401,
    body: { message: "bearer token not valid: no configuration matches" },
    challenge: 'Bearer error="invalid_token", error_description="no configuration matches"',
  },
  {
    name: "6: a parameter of token_filter itself",
    make: ({ params: { max, divisor } }) => ({
      params: { divisor, ...(max === undefined ? {} : { max }) },
    }),
    status: 422,
    body: missing("least"),
  },
  {
    name: "6: token_filter",
    make: () => ({ level: 1 }),
    status: 401,
    body: { message: "sign in again" },
    challenge:
      'Bearer error="insufficient_user_authentication", error_description="sign in again", acr_values="gold"',
  },
  {
    name: "7: a parameter",
    make: ({ params: { least, divisor } }) => ({
      params: { divisor, ...(least === undefined ? {} : { least }) },
    }),
    status: 422,
    body: missing("max"),
  },
  {
    name: "8: the policy allows it no longer",
    make: () => ({ text: "outdated" }),
    status: 422,
    body: {
      message: "Unprocessable Entity",
      errors: ["query.nodes[0]: chart.property.secret is not in allowed_reads.nodes"],
    },
  },
  {
    name: "9: data",
    make: ({ params }) => ({ params: { ...params, divisor: 0 } }),
    status: 422,
    body: {
      message: "Unprocessable Entity",
      errors: ["query: cannot be evaluated with the values of the request and the graph"],
    },
  },
];

let graph: Graph;
let ciq: CiqProcess;
let stored: StoredProject;
let waiting: StoredProject;
let data: TestProject;
const nurses = tokenIssuer();
const strangers = tokenIssuer();

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  stored = await storeProject(graph);
  waiting = await storeProject(graph, "PROVISIONING");
  await stored.introspect(nurses.introspect());
  const policy = {
    subject: { type: "Nurse" },
    condition: {
      cypher: "MATCH (subject:Nurse)-[:SEES]->(chart:Chart) WHERE chart.property.risk / $divisor <= $max",
      token_filter: {
        attribute: "$token.level",
        operator: ">=",
        value: "$least",
        advice: {
          error: "insufficient_user_authentication",
          error_description: "sign in again",
          acr_values: "gold",
        },
      },
    },
    allowed_reads: { nodes: ["chart.external_id"] },
  };
  const texts = {
    fitting: { nodes: ["chart.external_id"] },
    // Saved when the policy allowed more.
    outdated: { nodes: ["chart.property.secret"] },
  };
  const [own, idle] = [await stored.policy(policy), await stored.policy(policy, "INACTIVE")];
  for (const [text, query] of Object.entries(texts)) {
    await stored.query(`active-${text}`, own, query);
    await stored.query(`inactive-${text}`, own, query, "INACTIVE");
    await stored.query(`draft-${text}`, own, query, "DRAFT");
    await stored.query(`idle-${text}`, idle, query);
  }
  const application = {
    subject: { type: "_Application" },
    condition: { cypher: "MATCH (subject:_Application), (chart:Chart)" },
    allowed_reads: { nodes: ["chart.external_id"] },
  };
  await stored.query("of-application", await stored.policy(application), texts.fitting);
  const { token_filter } = policy.condition;
  const demanding = { ...application, condition: { ...application.condition, token_filter } };
  await stored.query("of-demanding-application", await stored.policy(demanding), texts.fitting);
  ciq = await startCiqProcess();
  data = await openProject(
    graph,
    {
      nodes: {
        "Nurse/n1": {},
        "Chart/c1": { risk: 4, secret: "s" },
        [`_Application/${ciq.application}`]: {},
      },
      edges: [["Nurse/n1", "SEES", "Chart/c1"]],
    },
    stored.pk,
  );
});
afterAll(async () => {
  await ciq?.end();
  await data?.drop();
  await stored?.remove();
  await waiting?.remove();
  await graph.close();
});

const bearerOf = ({ bearer, level }: Made): string | undefined =>
  bearer === "none" ? undefined : (bearer === "good" ? nurses : strangers).sign({ sub: "n1", level });

const ask = (made: Made): Promise<Answer> =>
  ciq.execute(
    stored,
    {
      id: made.query === "known" ? `${made.state}-${made.text}` : "not-there",
      page_size: made.pageSize,
      input_params: made.params,
    },
    {
      permissions: made.permissions,
      bearer: bearerOf(made),
      headers: made.consistencyToken === undefined ? {} : { "X-Consistency-Token": made.consistencyToken },
    },
  );

const seen = ({ status, body, headers }: Answer) => ({
  status,
  body,
  challenge: headers.get("www-authenticate") ?? undefined,
});
const wanted = ({ status, body, challenge }: Fault) => ({ status, body, challenge });

/** Both change the same thing of a call. */
const exclude = (one: Fault, other: Fault): boolean =>
  Object.keys(one.make(good)).some((key) => key !== "params" && key in other.make(good));

describe("the order of work of an execution", () => {
  it("is 200 when nothing is wrong", async () => {
    expect(seen(await ask(good))).toEqual({
      status: 200,
      body: { data: [{ nodes: { "chart.external_id": "c1" } }] },
      challenge: undefined,
    });
  });

  it.each(faults)("$name is $status", async (fault) => {
    expect(seen(await ask({ ...good, ...fault.make(good) }))).toEqual(wanted(fault));
  });

  it.each(faults.slice(0, -1).map((fault, index) => [fault.name, fault, faults.slice(index + 1)] as const))(
    "%s is reported whatever else is wrong behind it",
    async (_name, fault, later) => {
      const together = later.filter((other) => !exclude(fault, other));
      expect(together.length).toBeGreaterThan(0);
      // Each step ends the work, so that the order of all steps follows from that of each with the next one.
      for (const other of isLongRun() ? together : together.slice(0, 1)) {
        const made = { ...good, ...other.make(good) };
        const answer = seen(await ask({ ...made, ...fault.make(made) }));
        expect({ beside: other.name, ...answer }).toEqual({ beside: other.name, ...wanted(fault) });
      }
    },
  );
});

describe("further refusals", () => {
  const execute = async (json: unknown, bearer?: string): Promise<readonly [number, unknown]> => {
    const { status, body } = await ciq.execute(stored, json, { bearer });
    return [status, body["errors"] ?? body["message"]];
  };

  it.each<[string, unknown, unknown]>([
    ["no id", {}, ["id: required"]],
    ["an id of another kind", { id: 7 }, ["id: string expected"]],
    ["page_size above 1,000", { id: "x", page_size: 1001 }, ["page_size: 1-1000"]],
    ["a list for input_params", { id: "x", input_params: [] }, ["input_params: object expected"]],
    ["no object", [], ["body: object expected"]],
    ["no JSON", "{", ["body: JSON in UTF-8 expected"]],
    ["a number as text", { id: "x", page_size: "1" }, ["page_size: number expected"]],
  ])("400 for %s", async (_name, json, expected) => {
    expect(await execute(json)).toEqual([400, expected]);
  });

  it("401 for an application that the policy asks for a token, or that brings a bad one", async () => {
    const forged = strangers.sign({ sub: "n1", level: 3 });
    expect(await execute({ id: "of-application" })).toEqual([200, undefined]);
    expect(await execute({ id: "of-application" }, forged)).toEqual([
      401,
      "bearer token not valid: no configuration matches",
    ]);
    const id = "of-demanding-application";
    expect(await execute({ id })).toEqual([401, "bearer token required"]);
    expect(await execute({ id }, forged)).toMatchObject([401, expect.stringContaining("not valid")]);
    expect(await execute({ id }, nurses.sign({ sub: "n1", level: 3 }))).toEqual([
      422,
      ["missing or wrong input params, 'least'"],
    ]);
  });

  it("400 for a consistency token of another project", async () => {
    const json = { id: "of-application" };
    const answers = [stored, waiting].map((project) => {
      const headers = { "X-Consistency-Token": ciq.consistencyToken(project, {}) };
      return ciq.execute(stored, json, { headers });
    });
    const [own, other] = await Promise.all(answers);
    expect(own?.status).toBe(200);
    expect([other?.status, other?.body["errors"]]).toEqual([
      400,
      ["X-Consistency-Token: not a token of this project"],
    ]);
  });

  it("403 for an explanation without ReadAuthZConfigs", async () => {
    const json = { id: "of-application" };
    const headers = { "X-Explain": "true" };
    const { status, body } = await ciq.execute(stored, json, { headers });
    expect([status, body["explanation"]]).toEqual([200, expect.objectContaining({ outcome: "rows" })]);
    const refused = await ciq.execute(stored, json, { headers, permissions: ["ContXIQ"] });
    expect([refused.status, refused.body]).toEqual([
      403,
      { message: "permission missing: ReadAuthZConfigs" },
    ]);
  });

  it("404 for a project whose graph is not active", async () => {
    const { status, body } = await ciq.execute(waiting, { id: "active-fitting" });
    expect([status, body]).toEqual([
      404,
      { message: "Not Found", errors: ["project: the project has no active graph"] },
    ]);
  });
});
