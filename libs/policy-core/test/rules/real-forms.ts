import { policyOf } from "./versions.ts";

/** A form that real policies have, as a policy of these tests and perhaps a query under it. */
export interface RealForm {
  readonly form: string;
  readonly policy: object;
  readonly query?: object;
}

const kbac = (form: string, cypher: string): RealForm => ({ form, policy: policyOf("2.0-kbac", { cypher }) });

const ciq = (form: string, condition: object, lists: object, query: object): RealForm => ({
  form,
  policy: policyOf("1.0-ciq", condition, lists),
  query,
});

const films = "MATCH (subject:Archivist)-[care:CARES_FOR]->(film:Film)";
const titles = { allowed_reads: { nodes: ["film.property.title"] } };
const title = { nodes: ["film.property.title"] };

const aggregates = (...names: string[]): object => ({ allowed_reads: { aggregate_values: names } });
const queryAggregates = (...names: string[]): object => ({ nodes: [], aggregate_values: names });

const reading: readonly RealForm[] = [
  ciq("filter: []", { cypher: films, filter: [] }, titles, title),
  ciq(
    "aggregate_values: []",
    { cypher: films },
    { allowed_reads: { nodes: ["film.property.title"], aggregate_values: [] } },
    { ...title, aggregate_values: [] },
  ),
  ciq(
    "nodes: [] with only aggregates",
    { cypher: `${films} WITH subject, count(film) AS films` },
    { allowed_reads: { nodes: [], aggregate_values: ["films"] } },
    { nodes: [], aggregate_values: ["films"] },
  ),
  ciq(
    "list comprehension results as aggregate values",
    { cypher: `${films} WITH subject, [x IN subject.property.langs WHERE x <> 'de' | toUpper(x)] AS langs` },
    aggregates("langs"),
    queryAggregates("langs"),
  ),
  ciq(
    "COLLECT(DISTINCT node)",
    { cypher: `${films} WITH subject, COLLECT(DISTINCT film) AS films` },
    aggregates("films"),
    queryAggregates("films"),
  ),
  ciq(
    "$token.act.sub AS name",
    { cypher: `${films} WITH subject, $token.act.sub AS agent` },
    aggregates("agent"),
    queryAggregates("agent"),
  ),
  ciq(
    "a filter on an aggregate",
    {
      cypher: `${films} WITH subject, count(film) AS films`,
      filter: [{ attribute: "films", operator: ">", value: 1 }],
    },
    aggregates("films"),
    queryAggregates("films"),
  ),
  ciq(
    "nested AND and OR",
    {
      cypher: films,
      filter: [
        {
          operator: "AND",
          operands: [
            { attribute: "film.property.year", operator: ">", value: 1920 },
            {
              operator: "OR",
              operands: [
                { attribute: "film.property.base", operator: "=", value: "nitrate" },
                { attribute: "film.property.base", operator: "IS NULL" },
              ],
            },
          ],
        },
      ],
    },
    titles,
    title,
  ),
  ciq(
    "a query that returns x.create_time and r.type",
    { cypher: films },
    { allowed_reads: { nodes: ["film"], relationships: ["care"] } },
    { nodes: ["film.create_time"], relationships: ["care.type"] },
  ),
  ciq(
    "a whole node requested with only x.* allowed",
    { cypher: films },
    { allowed_reads: { nodes: ["film.*"] } },
    { nodes: ["film"] },
  ),
];

const writing: readonly RealForm[] = [
  ciq(
    "parallel IN $list writes",
    { cypher: films, filter: [{ attribute: "film.external_id", operator: "IN", value: "$films" }] },
    {
      allowed_upserts: {
        nodes: { existing_nodes: ["film"] },
        relationships: {
          relationship_types: [{ type: "SAW", source_node_label: "Archivist", target_node_label: "Film" }],
        },
      },
    },
    {
      upsert_nodes: [{ name: "film", properties: [{ type: "seen", value: true }] }],
      upsert_relationships: [{ name: "saw", source: "subject", target: "film", type: "SAW" }],
      nodes: ["film.external_id"],
    },
  ),
  ciq(
    "a write-only policy whose query echoes",
    { cypher: films },
    { allowed_upserts: { nodes: { existing_nodes: ["film"], node_types: ["Note"] } } },
    {
      upsert_nodes: [
        { name: "film", properties: [{ type: "state", value: "$state" }] },
        { name: "note", type: "Note", external_id: "$note", properties: [{ type: "text", value: "$text" }] },
      ],
      nodes: ["film.property.state", "note.external_id", "note.property.text"],
    },
  ),
];

const patterns: readonly RealForm[] = [
  kbac("bare (subject)", "MATCH (subject)-[:CARES_FOR]->(resource)"),
  kbac(
    "an alias called property",
    "MATCH (subject)-->(property)-->(resource) WHERE property.property.city = 'Graz'",
  ),
  kbac(
    "no blank between clauses",
    "MATCH (subject:Archivist)-[:CARES_FOR]->(f)MATCH (f)-->(resource)WHERE f.property.open",
  ),
  kbac("--> without type", "MATCH (subject)-->(resource)"),
  kbac("-- without type", "MATCH (subject)--(resource)"),
  kbac("-[x]- without type", "MATCH (subject)-[x]-(resource) WHERE x.since > 2000"),
  kbac("[:A|B*..3]", "MATCH (subject)-[:CARES_FOR|KEEPS*..3]->(resource)"),
  kbac(
    "unbounded * with ALL(r IN rels WHERE …)",
    "MATCH (subject)-[rels*]->(resource) WHERE ALL(r IN rels WHERE r.until IS NULL)",
  ),
  kbac(
    "endNode(r):Label",
    "MATCH (subject)-[rels*..3]->(resource) WHERE ANY(r IN rels WHERE endNode(r):Film AND startNode(r):Archivist)",
  ),
  kbac(
    "WHERE between MATCH clauses",
    "MATCH (subject)-[:KEEPS]->(v) WHERE v.property.dry MATCH (v)-->(resource) WHERE resource.property.a = 1",
  ),
  kbac(
    "several OPTIONAL MATCHes, one from an alias that may be null",
    "MATCH (subject), (resource) OPTIONAL MATCH (subject)-[:KEEPS]->(v) OPTIONAL MATCH (v)-->(r) WITH * WHERE r IS NULL",
  ),
  kbac("an inline {external_id: 'literal'}", "MATCH (subject)-->(v:Vault {external_id: 'v-1'})-->(resource)"),
  kbac(
    "a comparison of two node properties",
    "MATCH (subject), (resource) WHERE subject.property.clearance >= resource.property.danger",
  ),
  kbac("NOT (a)-[:T]->(b)", "MATCH (subject), (resource) WHERE NOT (subject)-[:BARRED_FROM]->(resource)"),
  kbac("a <> b on nodes", "MATCH (subject)-->(v), (resource)-->(w) WHERE v <> w AND subject <> v"),
];

/** `page_token: 1` on every call is a matter of the service: see coverage.ts. */
export const realForms: readonly RealForm[] = [...reading, ...patterns, ...writing];
