import type { IkgAdmin } from "@ikg/client";
import fc from "fast-check";
import { writeCase, drawn, writePolicyJson, writeQueryJson } from "../drawn-cases.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Records of every collection of a project, by the names of those that they refer to. */
export interface DrawnConfiguration {
  readonly project: Fields;
  readonly applications: readonly Fields[];
  readonly agents: readonly Fields[];
  readonly trustScoreProfiles: readonly Fields[];
  readonly resolvers: readonly Fields[];
  readonly introspects: readonly Fields[];
  readonly mcpServers: readonly Fields[];
  readonly auditSignings: readonly Fields[];
  readonly policies: readonly Fields[];
  readonly queries: readonly Fields[];
}

/** What YAML, shells and editors take for something else. */
const odd = [
  ..."null|~~|true|1.0|0x1F|2026-01-01|- a|# b|a: b|{a: 1}|[a]|&a b|*a|%a|@a|`a`|'a|\"a|?a|! a|>-|<<|=1".split(
    "|",
  ),
  ...[
    "| a",
    " a",
    "a ",
    "a\nb",
    "a\n",
    "\n a",
    "a\n\n\nb\n",
    "a\r\nb",
    "a\tb",
    "\t a",
    "a\u0085b",
    "a\u2028b",
  ],
  ...[
    "\ufeffa",
    "é😀",
    "a\u0000b",
    "a\u0007b",
    "\\n",
    "${HOME}",
    "$${HOME}",
    "${",
    "---",
    "...",
    "a #b",
    "a:",
  ],
];

const text = fc.oneof(
  fc.constantFrom(...odd),
  fc.string({ minLength: 2, maxLength: 30 }),
  fc.string({ minLength: 2, maxLength: 30, unit: "binary" }),
  fc.string({ minLength: 80, maxLength: 200 }),
);

const name = fc.oneof(
  fc.constantFrom("null", "true", "no", "on", "inf", "nan", "constructor", "project", "to-string"),
  fc.stringMatching(/^[a-z][-a-z0-9]{0,12}[a-z0-9]$/),
);

const titles = { display_name: text, description: text };

/** Records of one collection, with names of their own; what is optional is there half the time. */
const records = <Required extends object, Optional extends object>(
  most: number,
  required: { [K in keyof Required]: fc.Arbitrary<Required[K]> },
  optional: { [K in keyof Optional]: fc.Arbitrary<Optional[K]> },
): fc.Arbitrary<readonly Fields[]> => {
  const keys = ["name", ...Object.keys(required)] as never[];
  const one = fc.record({ name, ...titles, ...required, ...optional }, { requiredKeys: keys });
  return fc.uniqueArray(one as fc.Arbitrary<Fields>, { maxLength: most, selector: (each) => each["name"] });
};

const permissions = ["Authorization", "Capture", "ContXIQ", "ReadAuthZConfigs", "ReadDataSchema", "Audit"];
const dimensions = ["VALIDITY", "VERIFICATION", "FRESHNESS", "ORIGIN", "COMPLETENESS"];
const url = fc.webUrl({ validSchemes: ["https"], withQueryParameters: true });

const resolvers = records(
  2,
  {
    url,
    method: fc.constantFrom("GET", "POST", "PUT", "PATCH"),
    request_content_type: fc.constant("JSON"),
    response_content_type: fc.constant("JSON"),
    response_selector: fc.constantFrom("$.a['b c']", ".value", ".a.b[0]", '$["it\'s"]'),
  },
  {
    headers: fc.constantFrom({ "X-Key": ["sesame"] }, { Accept: ["a", "b"], "X-One": "two" }),
    request_payload: fc.oneof(fc.constant('{"id": "{$id}", "n": 1.0}'), fc.json({ stringUnit: "binary" })),
  },
);

const online = fc.oneof(
  fc.record({ userinfo_endpoint: url }),
  fc.record({
    introspection_endpoint: url,
    client_id: text,
    client_secret: fc.constant("sesame"),
    cache_ttl: fc.nat(3_600),
  }),
);

const introspects = records(
  2,
  { ikg_node_type: fc.constantFrom("Person", "Pilot") },
  {
    jwt_matcher: fc.record({ issuer: url, audience: text }),
    opaque_matcher: fc.record({ hint: text }),
    online_validation: online,
    claims_mapping: fc.dictionary(
      fc.constantFrom("email", "plan", "on", "null"),
      fc.record({ selector: text }),
      { maxKeys: 3 },
    ),
    sub_claim: fc.oneof(text, fc.record({ selector: text })),
    perform_upsert: fc.boolean(),
  },
);

const json = (value: unknown): string => JSON.stringify(value);

const kbac = fc
  .record({
    version: fc.constantFrom("2.0-kbac", "3.0-kbac"),
    actions: fc.uniqueArray(fc.constantFrom("READ", "EDIT", "no", "1.0"), { minLength: 1, maxLength: 3 }),
    where: fc.constantFrom(
      "",
      "\nWHERE resource.property.level > 1.5",
      " WHERE resource.property.a = 'a\\nb: #c'",
    ),
    value: text,
  })
  .map(({ version, actions, where, value }) => ({
    meta: { policy_version: version },
    subject: { type: "Person" },
    actions,
    resource: { type: "Document" },
    condition: {
      cypher: `MATCH (subject:Person)-[:OWNS]->(resource:Document)${where}`,
      filter: { operator: "=", attribute: "$token.plan", value },
    },
  }));

/** Texts of the language in every form that is stored: a draft may be anything. */
const policyText = fc.oneof(
  { weight: 4, arbitrary: kbac.map((policy) => ({ policy: json(policy), status: "ACTIVE" })) },
  {
    weight: 2,
    arbitrary: kbac.map((policy) => ({ policy: JSON.stringify(policy, null, 2), status: "INACTIVE" })),
  },
  {
    weight: 3,
    arbitrary: fc
      .oneof(text, fc.constantFrom('{"a":1.0}', '{"a":1,"a":2}', '{"a":-0}', "[9007199254740993]"), fc.json())
      .map((policy) => ({ policy, status: "DRAFT" })),
  },
);

const policies = records(4, { body: policyText }, { tags: fc.uniqueArray(text, { maxLength: 3 }) }).map(
  (all) => all.map(({ body, ...fields }) => ({ ...fields, ...(body as Fields) })),
);

/** A policy with a query of its own; the query is a draft of some text now and then. */
const ciq = fc.record({
  case: drawn(writeCase),
  isDraft: fc.boolean(),
  draft: text,
});

export const configuration: fc.Arbitrary<DrawnConfiguration> = fc
  .record({
    project: fc.record(titles, { requiredKeys: [] }),
    applications: records(3, {}, {}),
    agents: records(3, { api_permissions: fc.subarray(permissions, { minLength: 1 }) }, {}),
    trustScoreProfiles: records(
      2,
      {
        node_classification: fc.constantFrom("Person", "Document", "Team"),
        schedule: fc.constantFrom("THREE_HOURS", "SIX_HOURS", "TWELVE_HOURS", "DAILY"),
        dimensions: fc.uniqueArray(
          fc.record({ name: fc.constantFrom(...dimensions), weight: fc.constantFrom(0.1, 0.25, 1) }),
          { minLength: 1, selector: (each) => each.name },
        ),
      },
      {},
    ),
    resolvers,
    introspects,
    mcpServers: records(
      1,
      { enabled: fc.boolean(), scopes_supported: fc.array(text, { minLength: 1, maxLength: 3 }) },
      {},
    ),
    auditSignings: records(1, { provider: fc.constant("PLATFORM_MANAGED") }, {}),
    policies,
    queries: fc.option(ciq, { freq: 3 }).map((drawnQuery) => (drawnQuery === null ? [] : [drawnQuery])),
  })
  .map(({ queries, ...all }) => {
    const specs = queries.map((each) => ({ ...each, spec: each.case.spec }));
    const owned = specs.map(({ spec }) => ({
      name: "drawn-writes",
      policy: json(writePolicyJson(spec)),
      status: "ACTIVE",
    }));
    return {
      ...all,
      policies: [...all.policies, ...owned],
      queries: specs.map(({ spec, isDraft, draft }) => ({
        name: "drawn-query",
        policy: "drawn-writes",
        query: isDraft ? draft : json(writeQueryJson(spec)),
        status: isDraft ? "DRAFT" : "ACTIVE",
      })),
    };
  });

interface Collection {
  create(this: unknown, fields: never): Promise<{ readonly id: string }>;
}

/** Creates what the suite takes of the records of one collection. @returns their ids */
const create = async (collection: Collection, all: readonly Fields[]): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (const fields of all)
    try {
      ids.push((await collection.create(fields as never)).id); // the suite judges it
    } catch (error) {
      if (![400, 409, 422].includes((error as { status?: number }).status ?? 0)) throw error;
    }
  return ids;
};

/** Writes a drawn configuration into a project, without the records that the suite refuses. @returns how many it took */
export const writeConfiguration = async (admin: IkgAdmin, drawn: DrawnConfiguration): Promise<number> => {
  const applications = await create(admin.applications, drawn.applications);
  const some = (ids: readonly string[], at: number): string | undefined => ids[at % ids.length];
  const agents = await create(
    admin.agents,
    applications.length === 0
      ? []
      : drawn.agents.map((each, at) => ({ ...each, application_id: some(applications, at) })),
  );
  const introspects = await create(admin.introspects, drawn.introspects);
  const servers =
    agents.length === 0 || introspects.length === 0
      ? []
      : drawn.mcpServers.map((each, at) => ({
          ...each,
          app_agent_id: some(agents, at),
          token_introspect_id: some(introspects, at),
        }));
  const policies = await create(admin.policies, drawn.policies);
  const owner = await admin.policies.list({ search: "drawn-writes" });
  const queries = owner.flatMap(({ id }) =>
    drawn.queries.map(({ policy: _name, ...each }) => ({ ...each, policy_id: id })),
  );
  const others = [
    await create(admin.mcpServers, servers),
    await create(admin.trustScoreProfiles, drawn.trustScoreProfiles),
    await create(admin.resolvers, drawn.resolvers),
    await create(admin.auditSignings, drawn.auditSignings),
    await create(admin.queries, queries),
  ];
  return [applications, agents, introspects, policies, ...others].flat().length;
};
