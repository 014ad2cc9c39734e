/** 60 policies whose database work is recorded in `recorded.json`, each with what it is there for. */

interface Kbac {
  readonly name: string;
  readonly cypher: string;
  readonly version?: "2.0-kbac" | "3.0-kbac";
  readonly inputParams?: Readonly<Record<string, unknown>>;
  readonly token?: Readonly<Record<string, unknown>>;
}

const direct = "MATCH (subject)-[:WORKS_AT]->(:Site)-[:RUNS]->(resource)";
const nested =
  "MATCH (subject)-[:MEMBER_OF]->(:Team)-[:PART_OF*0..3]->(t:Team)-[:SERVES]->(site)-[:RUNS]->(resource)";
const orders = "MATCH (subject)<-[:ASSIGNED_TO]-(o:Order)-[:CONCERNS]->(resource)";

/** Asked about engineer e7 and turbine t47, whom site s7 joins; of types Engineer and Turbine. */
export const kbacPolicies: readonly Kbac[] = [
  { name: "two hops", cypher: direct },
  {
    name: "two hops, property of the end",
    cypher: `${direct} WHERE resource.property.output >= $least`,
    inputParams: { least: 40 },
  },
  {
    name: "two hops, property of both ends",
    cypher: `${direct} WHERE resource.property.class <= subject.property.class`,
  },
  {
    name: "two hops, property of a relationship",
    cypher: "MATCH (subject)-[:WORKS_AT]->(:Site)-[r:RUNS]->(resource) WHERE r.since > 1995",
  },
  { name: "inline map", cypher: "MATCH (subject)-[:WORKS_AT]->(:Site {region: 'r3'})-[:RUNS]->(resource)" },
  {
    name: "inline WHERE",
    cypher: "MATCH (subject)-[:WORKS_AT]->(s:Site WHERE s.property.open)-[:RUNS]->(resource)",
  },
  {
    name: "pinned third node",
    cypher: "MATCH (subject)-[:WORKS_AT]->(s:Site {external_id: $site})-[:RUNS]->(resource)",
    inputParams: { site: "s7" },
  },
  {
    name: "claim on the subject",
    cypher: `${direct} WHERE subject.external_id = $token.sub`,
    token: { sub: "e7" },
  },
  { name: "nested teams", cypher: nested },
  {
    name: "nested teams, undirected",
    cypher:
      "MATCH (subject)-[:MEMBER_OF]-(:Team)-[:PART_OF*0..3]-(:Team)-[:SERVES]-(:Site)-[:RUNS]-(resource)",
  },
  {
    name: "open length",
    cypher: "MATCH (subject)-[:MEMBER_OF]->()-[:PART_OF*]->(t:Team)-[:SERVES]->()-[:RUNS]->(resource)",
  },
  { name: "types by |", cypher: "MATCH (subject)-[:WORKS_AT|MEMBER_OF]->()-[:RUNS|SERVES]->(resource)" },
  { name: "any type, two hops", cypher: "MATCH (subject)-->(:Site)-->(resource)" },
  { name: "any type, up to 3 hops", cypher: "MATCH (subject)-[*..3]->(resource)" },
  { name: "through orders", cypher: orders },
  { name: "through open orders", cypher: `${orders} WHERE o.property.state = 'open'` },
  {
    name: "two patterns that share an end",
    cypher: "MATCH (subject)-[:WORKS_AT]->(s), (s)-[:RUNS]->(resource)",
  },
  { name: "two MATCH", cypher: "MATCH (subject)-[:WORKS_AT]->(s) MATCH (s)-[:RUNS]->(resource)" },
  {
    name: "both ends free of each other",
    cypher: "MATCH (subject), (resource) WHERE subject.property.class = resource.property.class",
  },
  {
    name: "EXISTS",
    cypher: "MATCH (subject), (resource) WHERE EXISTS { (subject)-[:WORKS_AT]->()-[:RUNS]->(resource) }",
  },
  {
    name: "EXISTS with a WHERE",
    cypher:
      "MATCH (subject), (resource) WHERE EXISTS { MATCH (subject)-[:WORKS_AT]->(s)-[:RUNS]->(resource) WHERE s.property.open }",
  },
  {
    name: "NOT EXISTS",
    cypher: `${direct} WHERE NOT EXISTS { (subject)<-[:ASSIGNED_TO]-(:Order)-[:CONCERNS]->(resource) }`,
  },
  { name: "pattern predicate", cypher: `${direct} WHERE (subject)-[:TRAINED_BY]->(:Brand)` },
  { name: "NOT pattern", cypher: `${direct} WHERE NOT (subject)<-[:ASSIGNED_TO]-()-[:CONCERNS]->(resource)` },
  { name: "COUNT", cypher: `${direct} WHERE COUNT { (subject)<-[:ASSIGNED_TO]-(:Order) } > 3` },
  {
    name: "pattern comprehension",
    cypher: `${direct} WHERE size([(subject)<-[:ASSIGNED_TO]-(o:Order) WHERE o.property.state = 'open' | o]) > 1`,
  },
  {
    name: "list in a property",
    cypher:
      "MATCH (subject)-[:WORKS_AT]->(s)-[:RUNS]->(resource) WHERE s.property.region IN subject.property.regions",
  },
  {
    name: "list of the request",
    cypher: `${direct} WHERE resource.property.model IN $models`,
    inputParams: { models: ["v7", "v8"] },
  },
  {
    name: "OPTIONAL MATCH",
    cypher: `${direct} OPTIONAL MATCH (subject)<-[:ASSIGNED_TO]-(o:Order) WITH subject, resource, o WHERE o IS NULL OR o.property.state = 'open'`,
  },
  { name: "aggregate", cypher: `${orders} WITH subject, resource, count(o) AS n WHERE n >= 1` },
  {
    name: "aggregate over a team",
    cypher:
      "MATCH (subject)-[:MEMBER_OF]->(t)<-[:MEMBER_OF]-(mate:Engineer) WITH subject, collect(mate.property.class) AS classes MATCH (subject)-[:WORKS_AT]->()-[:RUNS]->(resource) WHERE ANY(c IN classes WHERE c > resource.property.class)",
  },
  {
    name: "DISTINCT",
    cypher:
      "MATCH (subject)<-[:ASSIGNED_TO]-()-[:CONCERNS]->(t:Turbine) WITH DISTINCT subject, t MATCH (t)<-[:RUNS]-()-[:RUNS]->(resource)",
  },
  {
    name: "ORDER BY and LIMIT",
    cypher:
      "MATCH (subject)<-[:ASSIGNED_TO]-(o:Order) WITH subject, o ORDER BY o.external_id LIMIT 3 MATCH (o)-[:CONCERNS]->(resource)",
  },
  {
    name: "LIMIT of the request",
    cypher:
      "MATCH (subject)<-[:ASSIGNED_TO]-(o:Order) WITH subject, o ORDER BY o.external_id LIMIT $n MATCH (o)-[:CONCERNS]->(resource)",
    inputParams: { n: 3 },
  },
  {
    name: "UNWIND",
    cypher: `UNWIND $models AS model ${direct} WHERE resource.property.model = model`,
    inputParams: { models: ["v7", "v8"] },
  },
  {
    name: "quantified predicate over a path",
    cypher:
      "MATCH (subject)-[:MEMBER_OF]->()-[rs:PART_OF*0..3]->()-[:SERVES]->()-[:RUNS]->(resource) WHERE ALL(r IN rs WHERE endNode(r).property.grade >= 0)",
  },
  {
    name: "CASE",
    cypher: `${direct} WHERE CASE WHEN resource.property.class > 3 THEN subject.property.class > 3 ELSE true END`,
  },
  {
    name: "author's barrier",
    cypher:
      "MATCH (subject) WHERE subject.external_id = $token.sub WITH subject LIMIT 1 MATCH (subject)-[:WORKS_AT]->()-[:RUNS]->(resource)",
    token: { sub: "e7" },
  },
  { name: "hub in the chain", cypher: "MATCH (subject)-[:TRAINED_BY]->(:Brand)<-[:MADE_BY]-(resource)" },
  {
    name: "hub in the chain, with a property of the relationship",
    cypher:
      "MATCH (subject)-[t:TRAINED_BY]->(b:Brand)<-[:MADE_BY]-(resource) WHERE t.level >= 1 AND b.property.country = 'dk'",
  },
  {
    name: "hub pinned in its own MATCH",
    cypher:
      "MATCH (brand:Brand {external_id: 'b0'}) MATCH (subject), (resource) WHERE (subject)-[:TRAINED_BY]->(brand) AND (resource)-[:MADE_BY]->(brand)",
  },
  {
    name: "hub by name",
    cypher: "MATCH (subject)-[:WORKS_AT]->()-[:RUNS]->(resource)-[:MADE_BY]->(:Brand {external_id: $brand})",
    inputParams: { brand: "b0" },
  },
  {
    name: "CALL",
    version: "3.0-kbac",
    cypher: "CALL () { MATCH (subject)-[:WORKS_AT]->()-[:RUNS]->(resource) RETURN subject, resource }",
  },
  {
    name: "CALL with an import",
    version: "3.0-kbac",
    cypher: "MATCH (subject)-[:WORKS_AT]->(s) CALL (s) { MATCH (s)-[:RUNS]->(resource) RETURN resource }",
  },
  {
    name: "CALL that counts",
    version: "3.0-kbac",
    cypher: `${direct} CALL (subject) { MATCH (subject)<-[:ASSIGNED_TO]-(o:Order) RETURN count(o) AS n } WITH subject, resource, n WHERE n > 3`,
  },
];

interface Ciq {
  readonly name: string;
  readonly cypher: string;
  readonly filter?: readonly object[];
  readonly nodes: readonly string[];
  readonly aggregates?: readonly string[];
  readonly inputParams?: Readonly<Record<string, unknown>>;
  readonly pageToken?: number;
}

const self = { attribute: "subject.external_id", operator: "=", value: "$token.sub" };
const mine = "MATCH (subject:Engineer)-[:WORKS_AT]->(site:Site)-[:RUNS]->(turbine:Turbine)";

/** Run for engineer e7 with pages of 10. */
export const ciqPolicies: readonly Ciq[] = [
  {
    name: "read: pinned by the platform",
    cypher: mine,
    nodes: ["turbine.external_id", "turbine.property.model"],
  },
  { name: "read: pinned by a filter", cypher: mine, filter: [self], nodes: ["turbine.external_id"] },
  {
    name: "read: one of them by its id",
    cypher: mine,
    filter: [self, { attribute: "turbine.external_id", operator: "=", value: "$turbine" }],
    nodes: ["turbine.property.output"],
    inputParams: { turbine: "t47" },
  },
  {
    name: "read: property of the request",
    cypher: mine,
    filter: [self, { attribute: "turbine.property.model", operator: "=", value: "$model" }],
    nodes: ["turbine.external_id"],
    inputParams: { model: "v7" },
  },
  {
    name: "read: third page",
    cypher: mine,
    filter: [self],
    nodes: ["turbine.external_id", "site.property.region"],
    pageToken: 20,
  },
  { name: "read: whole nodes", cypher: mine, filter: [self], nodes: ["turbine", "site"] },
  { name: "read: wildcard", cypher: mine, filter: [self], nodes: ["turbine.*"] },
  { name: "read: trust score", cypher: mine, filter: [self], nodes: ["turbine.trust_score._final_score"] },
  {
    name: "read: IN a list of the subject",
    cypher: mine,
    filter: [self, { attribute: "site.property.region", operator: "IN", value: "@subject.property.regions" }],
    nodes: ["turbine.external_id"],
  },
  {
    name: "read: aggregate",
    cypher: `${mine} WITH subject, site, count(turbine) AS turbines`,
    filter: [self],
    nodes: ["site.external_id"],
    aggregates: ["turbines"],
  },
  {
    name: "read: OPTIONAL",
    cypher: `${mine} OPTIONAL MATCH (turbine)<-[:CONCERNS]-(o:Order)`,
    filter: [self],
    nodes: ["turbine.external_id", "o.property.state"],
  },
  {
    name: "read: nested teams",
    cypher: "MATCH (subject:Engineer)-[:MEMBER_OF]->(:Team)-[:PART_OF*0..3]->(:Team)-[:SERVES]->(site:Site)",
    filter: [self],
    nodes: ["site.external_id"],
  },
  {
    name: "read: hub",
    cypher: "MATCH (subject:Engineer)-[:TRAINED_BY]->(:Brand)<-[:MADE_BY]-(turbine:Turbine)",
    filter: [self, { attribute: "turbine.external_id", operator: "=", value: "$turbine" }],
    nodes: ["turbine.property.model"],
    inputParams: { turbine: "t47" },
  },
  {
    name: "read: text prefix",
    cypher: mine,
    filter: [self, { attribute: "turbine.property.model", operator: "STARTS WITH", value: "v7" }],
    nodes: ["turbine.external_id"],
  },
  {
    name: "read: two conditions by OR",
    cypher: mine,
    filter: [
      self,
      {
        operator: "OR",
        operands: [
          { attribute: "turbine.property.output", operator: ">", value: 90 },
          { attribute: "site.property.region", operator: "=", value: "r1" },
        ],
      },
    ],
    nodes: ["turbine.external_id"],
  },
];
