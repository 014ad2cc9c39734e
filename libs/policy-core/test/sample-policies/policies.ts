/** Policies of the suite's own in which every construct of the language occurs, and the queries under them. */

const nurse = { type: "Nurse" };
const chart = { type: "Chart" };

const kbac = (version: "2.0-kbac" | "3.0-kbac", cypher: string, filter?: object) => ({
  meta: { policy_version: version },
  subject: nurse,
  actions: ["SIGN"],
  resource: chart,
  condition: { cypher, ...(filter === undefined ? {} : { filter }) },
});

/** Conditions that both KBAC versions take. */
export const conditions: readonly string[] = [
  "MATCH (subject)-[:ON]->(:Ward)-[:HOLDS]->(resource)",
  "MATCH (subject:Nurse), (resource:Chart)",
  "MATCH (subject:Nurse {external_id: $token.sub}), (resource) WHERE resource.property.risk <= $max",
  "MATCH (subject)-[:ON]->(w:Ward) WITH subject, count(w) AS n MATCH (w2)-[:HOLDS]->(resource) WHERE n >= $n",
  "MATCH (subject)-[:ON]->(w) WITH DISTINCT subject, w ORDER BY w.external_id DESC SKIP 0 LIMIT 1 MATCH (w)-[:HOLDS]->(resource)",
  "MATCH (subject)-[:ON]->(w) WITH subject, w ORDER BY w.external_id SKIP $skip LIMIT $n MATCH (w)--(resource)",
  "MATCH (subject), (resource) WITH * WHERE subject.external_id <> resource.external_id",
  "MATCH (subject), (resource) WHERE EXISTS { (subject)-[:ON]->(x)-[:HOLDS]->(resource) WHERE x.property.name = $ward }",
  "MATCH (subject), (resource) WHERE EXISTS { MATCH (subject)-[:ON]->(x) WITH x LIMIT 1 MATCH (x)-->(resource) RETURN 1 }",
  "MATCH (subject), (resource) WHERE COUNT { (subject)--(x) } > 2 AND COUNT { MATCH (x:%) WHERE x.property.risk > 0 } = 3",
  "MATCH (subject), (resource) WHERE size([(resource)<-[h:HOLDS]-(x) WHERE h.since > 2020 | x.external_id]) = 1",
  "MATCH (subject), (resource) WHERE any(p IN [p = (resource)<-[:HOLDS*..2]-(:Ward) | p] WHERE length(p) = 1)",
  "MATCH (subject)-[rels*..3]->(resource) WHERE ALL(r IN rels WHERE type(r) <> 'SIGNED') AND ANY(r IN rels WHERE endNode(r):Chart AND endNode(r).property.risk < 3)",
  "MATCH (subject)-[*]-(resource) WHERE NONE(x IN [1, 2] WHERE x = 3) AND SINGLE(x IN [1, 2] WHERE x = 2)",
  "MATCH (subject), (resource) WHERE NOT (subject)-[:SIGNED]->(resource) AND (subject)-[:ON]->()-[:HOLDS]->(resource)",
  "MATCH (subject)-[:ON|SIGNED]->(x:!Ward|Ward)-->(resource), (y:(Aa|Bb)&!Cc)<--(z IS Dd)",
  "MATCH (subject)-[:ON]->(:Aa:Bb)--(resource) WHERE resource.property.a = -2 ^ 2 + 1 % 2 / 3 * 4 - 5",
  "UNWIND $ids AS id MATCH (resource:Chart {external_id: id}), (subject)",
  "MATCH (subject), (resource) WHERE resource.external_id IN [x IN subject.property.assigned WHERE x <> 'c3' | x + '1']",
  "MATCH (subject), (resource) WHERE reduce(total = 0, x IN [1, 2] | total + x) = resource.property.risk + 1",
  "MATCH (subject), (resource) WHERE 1 < resource.property.risk <= 2 OR CASE WHEN resource.property.type = 'note' THEN true ELSE false END",
  "MATCH (subject), (resource) WHERE CASE resource.property.type WHEN 'a', 'b' THEN 1 WHEN null THEN 2 END = 1 XOR true",
  "MATCH (subject), (resource) WHERE $resource_external_id = 'c1' OR $request.context.all OR $token.act.sub = 'x'",
  "MATCH p = (subject)-[:ON|HOLDS*1..4]->(resource) WHERE length(p) = 2 AND nodes(p)[1].property.name = 'West' AND relationships(p)[0].since = 1",
  "MATCH (subject) OPTIONAL MATCH (subject)-[s:SIGNED]->(c) MATCH (resource) WHERE s.shift = 'night' AND c.external_id = resource.external_id",
  "MATCH (subject)-[s:SIGNED {shift: 'night'}]->(resource {state: 'open'}) WHERE s.type = 'SIGNED' AND s.create_time > '2020'",
  "MATCH (subject WHERE subject.property.level > 1)-[s WHERE s.shift IS NOT NULL]->(resource WHERE resource.property.title IS NULL)",
  "MATCH (subject), (resource) WHERE resource.property.title.metadata.source = 'ehr' AND resource.trust_score._final_score > 0.5",
  "MATCH (subject), (resource) WHERE resource.property.title STARTS WITH 'a' AND resource.property.title ENDS WITH 'b' OR resource.property.title CONTAINS 'c'",
  "MATCH (subject), (resource) WHERE resource.property.tags[0] = 'a' AND resource.property.tags[1..] = [] AND resource.property.tags[..2] <> ['b']",
  "MATCH (subject), (resource) WHERE toLower(trim(resource.property.title)) = left('abc', 1) || 'b' AND coalesce(resource.property.risk, 0) < abs(-1.5e1)",
  "MATCH (subject), (resource) WHERE resource.property.title =~ '[a-z]+.*'",
  "MATCH (where:Nurse)-->(match:Set), (subject)-->(property)-->(resource) WHERE property.property.property = match.property.value",
  "MATCH (`where` {`match`: 1})-[:`SET`]->(`delete`:`Create`), (subject), (resource) WHERE `delete`.property.`merge` = `where`.property.`remove`",
];

/** Conditions that only `3.0-kbac` takes. */
export const routed: readonly string[] = [
  "USE graph.byName('all.eu') MATCH (subject)-->(resource)",
  "USE graph.byName($region) MATCH (subject)-->(resource)",
  "MATCH (subject), (resource) CALL { WITH subject MATCH (subject)-[:ON]->(w) RETURN w } WITH subject, resource, w WHERE w.property.name = 'East'",
  "MATCH (subject), (resource) CALL (subject, resource) { MATCH (subject)-->(x)-->(resource) RETURN count(x) AS n } WITH * WHERE n > 0",
  "MATCH (subject), (resource) CALL (*) { MATCH (subject)-->(x) RETURN DISTINCT x ORDER BY x.external_id LIMIT 3 } WITH subject, resource, x WHERE x:Ward",
  "CALL { MATCH (subject)-->(resource) RETURN subject, resource }",
];

const leaf = (attribute: string, operator: string, value?: unknown) =>
  value === undefined ? { attribute, operator } : { attribute, operator, value };

export const sampleRowFilters: readonly object[] = [
  leaf("subject.external_id", "=", "$token.sub"),
  leaf("chart.external_id", "IN", "@subject.property.assigned"),
  leaf("chart.external_id", "IN", ["a", "b"]),
  leaf("chart.property.risk", "<", "@subject.property.level"),
  leaf("chart.property.risk", ">=", "$risk"),
  leaf("chart.property.title", "CONTAINS", "a'b`c"),
  leaf("chart.property.title", "STARTS WITH", "$p.a.b"),
  leaf("chart.property.title", "ENDS WITH", "x"),
  leaf("chart.property.title", "=~", "[a-z]{1,3}"),
  leaf("chart.property.title", "=~", "$pattern"),
  leaf("chart.property.title", "IS NULL"),
  leaf("chart.property.title.metadata.source", "IS NOT NULL"),
  leaf("chart.trust_score._final_score", ">", 0.5),
  leaf("h.since", "<>", 2021),
  leaf("$token.level", "=", 1),
  leaf("chart.property.signed_at", "<=", { type: "datetime", value: "2026-01-01T00:00:00Z" }),
  leaf("chart.property.signed_at", ">", { type: "datetime", value: "$since" }),
  { operator: "NOT", operands: [leaf("chart.property.title", "=", true)] },
  {
    operator: "OR",
    operands: [
      leaf("chart.external_id", "=", "c1"),
      { operator: "AND", operands: [leaf("h.type", "=", "X")] },
    ],
  },
];

const ciq = (condition: object, subject = "Nurse", lists: object = {}) => ({
  meta: { policy_version: "1.0-ciq" },
  subject: { type: subject },
  condition,
  allowed_reads: {
    nodes: ["chart.*", "chart", "w.property.name", "subject.external_id", "chart.trust_score.*"],
    relationships: ["h", "h.*"],
  },
  ...lists,
});

const wards = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)";

const queries: readonly object[] = [
  { nodes: ["chart", "chart.external_id", "chart.property.title", "w.property.name"], relationships: ["h"] },
  {
    nodes: ["chart.*", "chart.trust_score._final_score", "chart.property.title.metadata.source"],
    relationships: ["h.since", "h.type"],
  },
  { nodes: ["chart.id"], filter: leaf("chart.property.state", "=", "$state") },
];

/** What is linted whole: each policy with its queries. */
export const policies: readonly (readonly [policy: object, queries: readonly object[]])[] = [
  ...conditions.map((cypher) => [kbac("2.0-kbac", cypher), []] as const),
  ...routed.map((cypher) => [kbac("3.0-kbac", cypher), []] as const),
  ...sampleRowFilters.map(
    (filter) => [ciq({ cypher: wards, filter: [filter] }), queries.slice(0, 1)] as const,
  ),
  [ciq({ cypher: wards, filter: [] }), queries],
  [
    ciq(
      { cypher: `${wards} WITH subject, w, count(chart) AS n, collect(chart.external_id) AS ids` },
      "Nurse",
      {
        allowed_reads: { nodes: ["w.external_id"], aggregate_values: ["n", "ids"] },
      },
    ),
    [{ nodes: ["w.external_id"], aggregate_values: ["n", "ids"], filter: leaf("n", ">", 1) }],
  ],
  [
    ciq(
      {
        cypher: "MATCH (subject:_Application {external_id: $_appId}) MATCH (w:Ward)-[h:HOLDS]->(chart:Chart)",
      },
      "_Application",
    ),
    queries,
  ],
  [
    ciq({ cypher: wards }, "Nurse", {
      allowed_upserts: {
        nodes: { existing_nodes: ["chart"], node_types: ["Note"] },
        relationships: {
          relationship_types: [
            { type: "SIGNED", source_node_label: "Nurse", target_node_label: "Chart" },
            { type: "ABOUT", source_node_label: "Note", target_node_label: "Chart" },
          ],
          existing_relationships: ["h"],
        },
      },
      allowed_deletes: { nodes: ["chart.property.draft", "chart"], relationships: ["h", "h.note"] },
    }),
    [
      {
        upsert_nodes: [
          { name: "chart", properties: [{ type: "state", value: "signed" }] },
          {
            name: "note",
            type: "Note",
            external_id: "$note",
            properties: [{ type: "text", value: "$text" }],
          },
        ],
        upsert_relationships: [
          {
            name: "sig",
            source: "subject",
            target: "chart",
            type: "SIGNED",
            properties: [{ type: "shift", value: "$shift" }],
          },
          { name: "ab", source: "note", target: "chart", type: "ABOUT" },
        ],
        delete_nodes: ["chart.property.draft"],
        nodes: ["chart.property.state"],
        relationships: ["sig.shift"],
      },
      { delete_nodes: ["chart"] },
      { delete_relationships: ["h"] },
      { delete_relationships: ["h.note"] },
    ],
  ],
];
