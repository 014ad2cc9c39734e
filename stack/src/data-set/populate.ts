/** Fills a suite over HTTP: projects with records of every kind, graphs, and questions. */
import { generateKeyPairSync } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { AnsweredQuestion, DataSetProject } from "./data-set.ts";

export interface Suite {
  readonly url: string;
  readonly organizationId: string;
  readonly token: string;
}

type Body = Readonly<Record<string, unknown>>;

const names = ["harbour", "clinic", "archive"] as const;
const persons = 60;
const teams = 8;
const things = 90;
const questionsPerProject = 3_400;

/** Numbers below `n` that are the same in every run. */
const drawing = (seed: number): ((n: number) => number) => {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
};

/** @throws Error with the answer when it has another status */
const post = async (url: string, headers: Readonly<Record<string, string>>, json: object): Promise<Body> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(json),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${text}`);
  return JSON.parse(text) as Body;
};

const kbac = (action: string, cypher: string): string =>
  JSON.stringify({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Person" },
    actions: [action],
    resource: { type: "Thing" },
    condition: { cypher },
  });

const policies: Readonly<Record<string, string>> = {
  "owners-take": kbac("TAKE", "MATCH (subject:Person)-[:OWNS]->(resource:Thing)"),
  "teams-use": kbac("USE", "MATCH (subject:Person)-[:MEMBER_OF]->(:Team)-[:MAY_USE]->(resource:Thing)"),
  "ranks-open": kbac(
    "OPEN",
    "MATCH (subject:Person), (resource:Thing) WHERE resource.property.level <= subject.property.rank",
  ),
};
const actions = ["TAKE", "USE", "OPEN", "SELL"];

const person = (id: number) => ({ type: "Person", external_id: `person-${id}` });
const team = (id: number) => ({ type: "Team", external_id: `team-${id}` });
const thing = (id: number) => ({ type: "Thing", external_id: `thing-${id}` });
const range = <T>(length: number, of: (at: number) => T): T[] => Array.from({ length }, (_, at) => of(at));

/** Every metadata that has a name of its own, and a custom one. */
const metadataOf = (at: number) => ({
  source: `desk ${at}`,
  assurance_level: (at % 3) + 1,
  verified_time: "2026-01-02T03:04:05Z",
  custom_metadata: { office: at % 7 },
});

const nodesOf = (draw: (n: number) => number) => [
  ...range(persons, (at) => ({
    ...person(at),
    is_identity: true,
    properties: [
      { type: "rank", value: draw(10), metadata: metadataOf(at) },
      { type: "name", value: `Zoë ${at}` },
      { type: "is_member", value: at % 3 === 0 },
      { type: "birthday", value: `19${60 + (at % 40)}-01-02T03:04:05Z` },
    ],
  })),
  ...range(teams, team),
  ...range(things, (at) => ({
    ...thing(at),
    properties: [
      { type: "level", value: draw(12) },
      { type: "weight", value: draw(1_000) / 8 },
      { type: "colours", value: ["red", "blue"].slice(draw(2)) },
    ],
  })),
];

const relationshipsOf = (draw: (n: number) => number) => [
  ...range(persons, (at) => ({
    source: person(at),
    target: team(draw(teams)),
    type: "MEMBER_OF",
    properties: [{ type: "since", value: 1990 + (at % 30) }],
  })),
  ...range(things, (at) => ({ source: person(draw(persons)), target: thing(at), type: "OWNS" })),
  ...range(things, (at) => ({
    source: team(at % teams),
    target: thing(draw(things)),
    type: "MAY_USE",
    properties: [
      { type: "hours", value: at / 4 },
      { type: "days", value: ["Monday", "Tuesday"] },
    ],
  })),
];

interface Made extends Omit<DataSetProject, "rows"> {
  readonly headers: Readonly<Record<string, string>>;
}

type Create = (path: string, json: object) => Promise<Body>;

/** Two change sets, so that the history has what was before. */
const makeChangeSets = async (create: Create, project: unknown): Promise<void> => {
  for (const action of ["LEND", "BORROW"])
    await create("changes", {
      project_id: project,
      message: `may ${action.toLowerCase()}`,
      changes: [
        {
          op: "put",
          collection: "authorization-policies",
          name: "owners-lend",
          record: {
            policy: kbac(action, "MATCH (subject:Person)-[:OWNS]->(resource:Thing)"),
            status: "INACTIVE",
            tags: ["draft"],
          },
        },
      ],
    });
};

/** One record of every further kind, so that each is upgraded. No node is of the type that has trust scores. */
const makeFurtherRecords = async (
  create: Create,
  { project, agent }: { readonly project: unknown; readonly agent: unknown },
  name: string,
): Promise<void> => {
  await create("external-data-resolvers", {
    project_id: project,
    name: "register",
    url: "https://register.example/{$id}",
    method: "GET",
    headers: { "X-Register-Key": [`secret of ${name}`] },
    request_content_type: "JSON",
    response_content_type: "JSON",
    response_selector: ".value",
  });
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const introspect = await create("token-introspects", {
    project_id: project,
    name: "sign-in",
    jwt_matcher: { issuer: "https://issuer.example", audience: name },
    offline_validation: {
      public_jwks: [JSON.stringify({ ...publicKey.export({ format: "jwk" }), kid: "one" })],
    },
    claims_mapping: { email: { selector: "mail" } },
    ikg_node_type: "Person",
  });
  await create("mcp-servers", {
    project_id: project,
    name: "agents",
    app_agent_id: agent,
    token_introspect_id: introspect["id"],
    enabled: true,
    scopes_supported: ["read"],
  });
  await create("trust-score-profiles", {
    project_id: project,
    name: "ships",
    node_classification: "Ship",
    schedule: "DAILY",
    dimensions: [{ name: "VALIDITY", weight: 0.5 }],
  });
  await create("role-bindings", {
    subject: { claim: "groups", value: name },
    role: "viewer",
    project_id: project,
  });
  await create("audit-signings", { project_id: project, name: "platform", provider: "PLATFORM_MANAGED" });
  await makeChangeSets(create, project);
};

const makeProject = async ({ url, organizationId, token }: Suite, name: string): Promise<Made> => {
  const create = async (path: string, json: object): Promise<Body> =>
    post(`${url}/configs/v1/${path}`, { authorization: `Bearer ${token}` }, json);
  const { id } = await create("projects", {
    organization_id: organizationId,
    name,
    limits: { property_names: 500, relationship_types: 100 },
  });
  const application = await create("applications", { project_id: id, name: "app" });
  const agent = await create("application-agents", {
    application_id: application["id"],
    name: "agent",
    api_permissions: ["Capture", "Authorization", "ContXIQ"],
  });
  const credential = await create("application-agent-credentials", { application_agent_id: agent["id"] });
  const { token: key } = credential["application_agent_config"] as { readonly token: string }; // shown once, here
  for (const [policy, text] of Object.entries(policies))
    await create("authorization-policies", { project_id: id, name: policy, status: "ACTIVE", policy: text });
  const ciq = await create("authorization-policies", {
    project_id: id,
    name: "things",
    description: "What the application may read of things: naïve, but enough.",
    status: "ACTIVE",
    policy: JSON.stringify({
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application) MATCH (thing:Thing)" },
      allowed_reads: { nodes: ["thing", "thing.*"] },
    }),
  });
  const query = await create("knowledge-queries", {
    project_id: id,
    name: "all-things",
    policy_id: ciq["id"],
    status: "ACTIVE",
    query: JSON.stringify({ nodes: ["thing.external_id"] }),
  });
  await makeFurtherRecords(create, { project: id, agent: agent["id"] }, name);
  return { id: String(id), key, queryId: String(query["id"]), headers: { "x-svc-clientkey": key } };
};

/** AuthZEN 1.0, section 7.2. An entry that failed denies, and says why. */
interface EvaluatedEntry {
  readonly decision: boolean;
  readonly context?: { readonly error?: { readonly status: number; readonly message: string } };
}

/**
 * Decisions of many questions about one project.
 *
 * @throws Error when one of them was not decided: the denial that stands for it is no decision
 */
export const decide = async (
  url: string,
  key: string,
  questions: readonly Pick<AnsweredQuestion, "subject" | "action" | "resource">[],
): Promise<readonly boolean[]> => {
  const { evaluations } = await post(
    `${url}/access/v1/evaluations`,
    { "x-svc-clientkey": key },
    {
      evaluations: questions.map(({ subject, action, resource }) => ({
        subject: { type: "Person", id: subject },
        action: { name: action },
        resource: { type: "Thing", id: resource },
      })),
    },
  );
  const entries = evaluations as readonly EvaluatedEntry[];
  const failed = entries.flatMap(({ context }) => (context?.error === undefined ? [] : [context.error]));
  const [first] = failed;
  if (first !== undefined)
    throw new Error(
      `${failed.length} of ${entries.length} entries were not decided: ${first.status} ${first.message}`,
    );
  return entries.map(({ decision }) => decision);
};

/** The rows that the query of a project answers. */
export const rowsOf = async (
  url: string,
  { key, queryId }: Pick<DataSetProject, "key" | "queryId">,
): Promise<readonly unknown[]> => {
  const answer = await post(
    `${url}/ciq/v1/execute`,
    { "x-svc-clientkey": key },
    { id: queryId, page_size: 1_000 },
  );
  return answer["data"] as readonly unknown[];
};

/** Questions that go out together. */
export const together = 50;

/** Time after which every process has read what was configured. */
const settleMs = 2_500;

export const populate = async (
  suite: Suite,
): Promise<{
  readonly projects: readonly DataSetProject[];
  readonly questions: readonly AnsweredQuestion[];
}> => {
  const made: Made[] = [];
  for (const [at, name] of names.entries()) {
    const project = await makeProject(suite, name);
    made.push(project);
    const draw = drawing(at + 1);
    const capture = (path: string, json: object) =>
      post(`${suite.url}/capture/v1/${path}`, project.headers, json);
    await capture("nodes", { nodes: nodesOf(draw) });
    await capture("relationships", { relationships: relationshipsOf(draw) });
  }
  await pause(settleMs);
  const questions: AnsweredQuestion[] = [];
  for (const [project, { key }] of made.entries()) {
    const draw = drawing(project + 100);
    const drawn = range(questionsPerProject, () => ({
      subject: `person-${draw(persons)}`,
      action: actions[draw(actions.length)] ?? "",
      resource: `thing-${draw(things)}`,
    }));
    for (let at = 0; at < drawn.length; at += together) {
      const part = drawn.slice(at, at + together);
      const decisions = await decide(suite.url, key, part);
      questions.push(
        ...part.map((each, index) => ({ ...each, project, decision: decisions[index] === true })),
      );
    }
  }
  const projects = [];
  for (const { headers: _, ...project } of made)
    projects.push({ ...project, rows: (await rowsOf(suite.url, project)).length });
  return { projects, questions };
};
