import { strictObject as strict } from "@ikg/sources";
import type { authorizationPolicyCollection, ContentField, knowledgeQueryCollection } from "@ikg/contracts";
import { z } from "zod";

const anyObject = z.record(z.string(), z.unknown(), { error: "object expected" });
const line = z.string({ error: "string expected" }).min(1, { error: "at least one character expected" });
const path = line.describe("Path of a file, relative to this one");

const NodeName = strict({ type: line, external_id: line, location: line.optional() });

const NodeProperty = strict({
  type: line,
  value: z.unknown().optional(),
  external_value: line.optional(),
  metadata: anyObject.optional(),
});

/** The format of POST /capture/v1/nodes, whose contract validates the values. */
const GraphNode = strict({
  ...NodeName.shape,
  is_identity: z.boolean({ error: "true or false expected" }).optional(),
  labels: z.array(line, { error: "list expected" }).optional(),
  properties: z.array(NodeProperty, { error: "list expected" }).optional(),
});

const GraphRelationship = strict({
  source: NodeName,
  type: line,
  target: NodeName,
  properties: z.array(strict({ type: line, value: z.unknown() }), { error: "list expected" }).optional(),
});

export const Graph = strict({
  nodes: z
    .array(
      z.union([line.describe("TYPE ID {property: value} identity"), GraphNode], {
        error: "`TYPE ID {property: value} identity` or an object expected",
      }),
      { error: "list expected" },
    )
    .optional(),
  relationships: z
    .array(
      z.union([line.describe("TYPE ID -RELATIONSHIP {property: value}-> TYPE ID"), GraphRelationship], {
        error: "`TYPE ID -RELATIONSHIP-> TYPE ID` or an object expected",
      }),
      { error: "list expected" },
    )
    .optional(),
});

const status = z.enum(["ACTIVE", "INACTIVE", "DRAFT"], { error: "one of ACTIVE, INACTIVE, DRAFT expected" });

const titles = { name: line.optional(), display_name: line.optional(), description: line.optional() };

/** A policy as described in docs/policy-language.md. */
export const PolicyText = z.looseObject({ meta: anyObject }, { error: "object expected" });

export const PolicyFile = strict({
  ...titles,
  status: status.optional(),
  tags: z.array(line, { error: "list expected" }).optional(),
  policy: z.union([path, PolicyText], { error: "a path or the object of a policy expected" }),
} satisfies Record<ContentField<typeof authorizationPolicyCollection> | "name", z.ZodType>);

export const QueryFile = strict({
  ...titles,
  status: status.optional(),
  policy: line.describe("Name of the policy of the query"),
  query: z.union([path, anyObject], { error: "a path or the object of a query expected" }),
} satisfies Record<
  Exclude<ContentField<typeof knowledgeQueryCollection>, "policy_id"> | "policy" | "name",
  z.ZodType
>);

const params = anyObject.optional().describe("Input parameters");
const as = line.optional().describe("A name of `people` whose token is sent");
const name = line.optional().describe("Title of the test");
const httpStatus = z.int({ error: "status code expected" }).min(200).max(599);
const advice = z.record(z.string(), z.string({ error: "string expected" }), {
  error: "object of texts expected",
});
const context = anyObject
  .optional()
  .describe("Further members of the request's context, for $request.context");

export const DecisionTest = strict({
  name,
  as,
  decision: line.describe("SUBJECT may [not] ACTION TYPE ID {parameter: value}"),
  params,
  context,
  expect: strict({
    status: httpStatus.optional(),
    reason: line.optional(),
    advice: advice.optional(),
  }).optional(),
});

export const QueryTest = strict({
  name,
  as,
  query: line.describe("Name of a query"),
  params,
  expect: strict({
    status: httpStatus.optional(),
    advice: advice.optional(),
    rows: z.array(anyObject, { error: "list of rows expected" }).optional(),
    order: z.enum(["any", "exact"], { error: "any or exact expected" }).optional(),
    columns: z.enum(["all", "listed"], { error: "all or listed expected" }).optional(),
    count: z.int({ error: "integer expected" }).min(0).optional(),
  }),
});

const node = line.describe("TYPE ID, or a name of `people`");

const Search = z.union(
  [
    strict({ resources: strict({ subject: node, action: line, type: line, params, context }) }),
    strict({ subjects: strict({ type: line, action: line, resource: node, params, context }) }),
    strict({ actions: strict({ subject: node, resource: node, params, context }) }),
  ],
  { error: "one of resources, subjects, actions expected" },
);

export const SearchTest = strict({
  name,
  as,
  search: Search,
  expect: z.array(line, { error: "list of ids or actions expected" }),
});

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

export const instantText = z
  .string({ error: "date-time with offset expected, such as 2026-01-31T09:00:00Z" })
  .refine((text) => instantPattern.test(text) && !Number.isNaN(Date.parse(text)), {
    error: "date-time with offset expected, such as 2026-01-31T09:00:00Z",
  });

const PersonClaims = z.looseObject(
  {
    sub: line,
    iss: line.optional(),
    aud: z.union([line, z.array(line)], { error: "text or list of texts expected" }).optional(),
  },
  { error: "object of claims expected" },
);

/** A policy test file: one world and its tests. */
export const PolicyTests = strict({
  $schema: line.optional(),
  name: line.describe("Name of the world in reports"),
  graph: z
    .union([path, z.array(path, { error: "list of paths expected" }), Graph], {
      error: "a path, a list of paths, or nodes and relationships expected",
    })
    .optional(),
  config: z
    .union([path, z.array(path, { error: "list of paths expected" })], {
      error: "a path or a list of paths expected",
    })
    .optional()
    .describe("Directories or files with one policy, query or resolver each"),
  policies: z
    .record(
      z.string(),
      z.union([path, PolicyFile, PolicyText], {
        error: "a path, a policy, or {policy, status, tags} expected",
      }),
      {
        error: "object of policies by name expected",
      },
    )
    .optional(),
  queries: z
    .record(z.string(), z.union([path, QueryFile], { error: "a path or {policy, query, status} expected" }), {
      error: "object of queries by name expected",
    })
    .optional(),
  now: instantText.optional().describe("Current time for the age of tokens"),
  resolvers: z
    .record(z.string(), z.unknown(), { error: "object of answers by name expected" })
    .optional()
    .describe("Simulated responses of external data resolvers, by name"),
  people: z
    .record(z.string(), PersonClaims, {
      error: "object of claims by name expected",
    })
    .optional()
    .describe("Claims of tokens, by name"),
  tests: z
    .array(
      z.union(
        [
          line.describe("SUBJECT may [not] ACTION TYPE ID {parameter: value}"),
          DecisionTest,
          QueryTest,
          SearchTest,
        ],
        {
          error: "`SUBJECT may [not] ACTION TYPE ID`, or an object with decision, query or search, expected",
        },
      ),
      { error: "list of tests expected" },
    )
    .min(1, { error: "at least one test expected" }),
});

export type PolicyTests = z.output<typeof PolicyTests>;
export type Graph = z.output<typeof Graph>;
export type PolicyFile = z.output<typeof PolicyFile>;
export type QueryFile = z.output<typeof QueryFile>;
export type DecisionTest = z.output<typeof DecisionTest>;
export type QueryTest = z.output<typeof QueryTest>;
export type SearchTest = z.output<typeof SearchTest>;
