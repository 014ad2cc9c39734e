/** Every position of a policy or query that a caller controls, as a function of what he puts there. */

export interface Submission {
  /** JSON text of a policy. */
  readonly policy: string;
  /** JSON texts of queries under it. */
  readonly queries: readonly string[];
}

const toSubmission = (policy: unknown, ...queries: readonly unknown[]): Submission => ({
  policy: JSON.stringify(policy),
  queries: queries.map((query) => JSON.stringify(query)),
});

const kbac = (cypher: string, changes: object = {}, version = "3.0-kbac") => ({
  meta: { policy_version: version },
  subject: { type: "Nurse" },
  actions: ["SIGN"],
  resource: { type: "Chart" },
  condition: { cypher },
  ...changes,
});

const wards = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(chart:Chart)";
const ends = "MATCH (subject), (resource)";
const upserts = {
  nodes: { existing_nodes: ["chart"], node_types: ["Note"] },
  relationships: {
    relationship_types: [{ type: "ABOUT", source_node_label: "Note", target_node_label: "Chart" }],
    existing_relationships: ["h"],
  },
};
const reads = { nodes: ["chart.*", "w.property.name", "chart"], relationships: ["h", "h.*"] };

const ciq = (condition: object = {}, changes: object = {}) => ({
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "Nurse" },
  condition: { cypher: wards, ...condition },
  allowed_reads: reads,
  allowed_upserts: upserts,
  allowed_deletes: { nodes: ["chart.property.draft", "chart"], relationships: ["h.note", "h"] },
  ...changes,
});

const quoted = (text: string): string => `\`${text.replaceAll("`", "``")}\``;
const leaf = (attribute: unknown, operator: unknown, value?: unknown) => ({ attribute, operator, value });

type Position = (text: string) => Submission;

const cypher: Readonly<Record<string, (text: string) => string>> = {
  alias: (text) => `MATCH (subject)-->(${text})-->(resource)`,
  "quoted alias": (text) => `MATCH (subject)-->(${quoted(text)})-->(resource)`,
  label: (text) => `MATCH (subject)-->(a:${text})-->(resource)`,
  "quoted label": (text) => `MATCH (subject)-->(a:${quoted(text)})-->(resource)`,
  "label test": (text) => `${ends} WHERE subject:${text}`,
  type: (text) => `MATCH (subject)-[:${text}]->(resource)`,
  "quoted type": (text) => `MATCH (subject)-[:${quoted(text)}]->(resource)`,
  "map key": (text) => `MATCH (subject)-->(a {${text}: 1})-->(resource)`,
  "quoted map key": (text) => `MATCH (subject)-->(a {${quoted(text)}: 1})-[{${quoted(text)}: 1}]->(resource)`,
  "property name": (text) => `${ends} WHERE subject.property.${text} = 1`,
  "quoted property name": (text) => `${ends} WHERE subject.property.${quoted(text)} = 1`,
  "relationship property": (text) => `MATCH (subject)-[r]->(resource) WHERE r.${quoted(text)} = 1`,
  parameter: (text) => `${ends} WHERE subject.property.a = $${text}`,
  "quoted parameter": (text) => `${ends} WHERE subject.property.a = $${quoted(text)}`,
  literal: (text) => `${ends} WHERE subject.property.a = '${text}'`,
  "double literal": (text) => `${ends} WHERE subject.property.a = "${text}"`,
  number: (text) => `${ends} WHERE subject.property.a = 1${text}`,
  comment: (text) => `${ends} /* ${text} */ WHERE true // ${text}`,
  "aggregate name": (text) => `${ends} WITH subject, resource, count(*) AS ${text}`,
  "quoted aggregate name": (text) =>
    `${ends} WITH subject, resource, count(*) AS ${quoted(text)} WHERE ${quoted(text)} > 0`,
  "loop variable": (text) => `${ends} WHERE any(${quoted(text)} IN [1] WHERE ${quoted(text)} = 1)`,
  "path variable": (text) =>
    `MATCH ${quoted(text)} = (subject)--(resource) WHERE length(${quoted(text)}) = 1`,
  location: (text) => `USE graph.byName('${text}') ${ends}`,
  "location parameter": (text) => `USE graph.byName($${text}) ${ends}`,
  "CALL body": (text) => `${ends} CALL { MATCH (x) ${text} RETURN count(x) AS n } WITH subject, resource, n`,
  "CALL import": (text) =>
    `${ends} CALL (${text}) { MATCH (x) RETURN count(x) AS n } WITH subject, resource, n`,
  "EXISTS body": (text) => `${ends} WHERE EXISTS { MATCH (x) ${text} }`,
  "COUNT body": (text) => `${ends} WHERE COUNT { ${text} } > 0`,
  comprehension: (text) => `${ends} WHERE size([x IN [1] WHERE ${text} | x]) > 0`,
  condition: (text) => `${ends} WHERE ${text}`,
  beginning: (text) => `${text}${ends}`,
  end: (text) => `${ends}${text}`,
  whole: (text) => text,
  "regular expression": (text) => `${ends} WHERE subject.property.a =~ '${text}'`,
};

const records: Readonly<Record<string, Position>> = {
  "JSON text": (text) => ({ policy: text, queries: [text] }),
  "JSON key": (text) => toSubmission({ ...kbac(ends), [text]: 1 }, { [text]: ["chart"] }),
  "JSON key of a condition": (text) => toSubmission(kbac(ends, { condition: { cypher: ends, [text]: [] } })),
  version: (text) => toSubmission(kbac(ends, {}, text)),
  "subject type": (text) => toSubmission(kbac(ends, { subject: { type: text } })),
  "resource type": (text) => toSubmission(kbac(ends, { resource: { type: text } })),
  action: (text) => toSubmission(kbac(ends, { actions: [text] })),
  "KBAC filter attribute": (text) =>
    toSubmission(kbac(ends, { condition: { cypher: ends, filter: leaf(text, "=", 1) } })),
  "KBAC filter value": (text) =>
    toSubmission(kbac(ends, { condition: { cypher: ends, filter: leaf("$a", "=", text) } })),
  "filter operator": (text) =>
    toSubmission(ciq({ filter: [leaf("chart.property.a", text, "b")] }), { nodes: ["chart"] }),
  "filter attribute": (text) => toSubmission(ciq({ filter: [leaf(text, "=", "b")] }), { nodes: ["chart"] }),
  "filter path": (text) =>
    toSubmission(ciq({ filter: [leaf(`chart.property.${text}`, "=", "b")] }), { nodes: ["chart"] }),
  "filter metadata path": (text) =>
    toSubmission(ciq({ filter: [leaf(`chart.property.a.metadata.${text}`, "=", "b")] }), {
      nodes: ["chart"],
    }),
  "filter value": (text) =>
    toSubmission(ciq({ filter: [leaf("chart.property.a", "=", text)] }), { nodes: ["chart"] }),
  "filter alias value": (text) =>
    toSubmission(ciq({ filter: [leaf("chart.property.a", "IN", `@${text}`)] }), { nodes: ["chart"] }),
  "filter parameter": (text) =>
    toSubmission(ciq({ filter: [leaf("chart.property.a", "=", `$${text}`)] }), { nodes: ["chart"] }),
  "filter pattern": (text) =>
    toSubmission(ciq({ filter: [leaf("chart.property.a", "=~", text)] }), { nodes: ["chart"] }),
  "filter instant": (text) =>
    toSubmission(ciq({ filter: [leaf("chart.property.a", "<", { type: "datetime", value: text })] }), {
      nodes: ["chart"],
    }),
  "filter advice": (text) =>
    toSubmission(ciq({ token_filter: { ...leaf("$token.a", "=", text), advice: { [text]: text } } }), {
      nodes: ["chart"],
    }),
  "allowed path": (text) =>
    toSubmission(ciq({}, { allowed_reads: { nodes: [text], relationships: [text] } }), { nodes: [text] }),
  "allowed aggregate": (text) =>
    toSubmission(
      ciq(
        { cypher: `${wards} WITH *, 1 AS ${quoted(text)}` },
        { allowed_reads: { aggregate_values: [text] } },
      ),
      {
        aggregate_values: [text],
      },
    ),
  "allowed upsert": (text) =>
    toSubmission(
      ciq({}, { allowed_upserts: { ...upserts, nodes: { existing_nodes: [text], node_types: [text] } } }),
    ),
  "allowed relationship": (text) =>
    toSubmission(
      ciq(
        {},
        {
          allowed_upserts: {
            relationships: {
              relationship_types: [{ type: text, source_node_label: text, target_node_label: text }],
            },
          },
        },
      ),
    ),
  "allowed delete": (text) =>
    toSubmission(ciq({}, { allowed_deletes: { nodes: [text], relationships: [text] } })),
  "query path": (text) =>
    toSubmission(ciq(), { nodes: [text] }, { relationships: [text] }, { nodes: [`chart.property.${text}`] }),
  "query relationship path": (text) => toSubmission(ciq(), { relationships: [`h.${text}`] }),
  "query filter": (text) =>
    toSubmission(
      ciq(),
      { nodes: ["chart"], filter: leaf("chart.property.a", "=", text) },
      { nodes: ["chart"], filter: leaf(text, "=", 1) },
    ),
  "upsert name": (text) =>
    toSubmission(ciq(), {
      upsert_nodes: [
        { name: text, type: "Note", external_id: text, properties: [{ type: "a", value: text }] },
      ],
    }),
  "upsert type": (text) =>
    toSubmission(ciq(), { upsert_nodes: [{ name: "n", type: text, external_id: "x" }] }),
  "upsert property": (text) =>
    toSubmission(ciq(), { upsert_nodes: [{ name: "chart", properties: [{ type: text, value: text }] }] }),
  "upsert metadata": (text) =>
    toSubmission(ciq(), {
      upsert_nodes: [
        { name: "chart", properties: [{ type: "a", value: 1, metadata: [{ type: text, value: text }] }] },
      ],
    }),
  "upsert relationship": (text) =>
    toSubmission(ciq(), {
      upsert_nodes: [{ name: "n", type: "Note", external_id: "x" }],
      upsert_relationships: [
        { name: text, source: "n", target: "chart", type: text, properties: [{ type: text, value: text }] },
      ],
    }),
  "delete path": (text) => toSubmission(ciq(), { delete_nodes: [text] }, { delete_relationships: [text] }),
  "delete property": (text) =>
    toSubmission(
      ciq(),
      { delete_nodes: [`chart.property.${text}`] },
      { delete_relationships: [`h.${text}`] },
    ),
};

export const positions: readonly (readonly [string, Position])[] = [
  ...Object.entries(cypher).flatMap(([name, condition]): (readonly [string, Position])[] => [
    [`${name} in KBAC`, (text) => toSubmission(kbac(condition(text)))],
    [
      `${name} in CIQ`,
      (text) =>
        toSubmission(
          ciq(
            { cypher: condition(text).replaceAll("resource", "chart") },
            { allowed_upserts: {}, allowed_deletes: {}, allowed_reads: { nodes: ["chart"] } },
          ),
          { nodes: ["chart"] },
        ),
    ],
  ]),
  ...Object.entries(records),
];
