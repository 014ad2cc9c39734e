import type { Version } from "../versions.ts";
import { both, boundsRows, expressionRows, tokenRows, type Row } from "./expressions.ts";
import { all, ciq, kbac, routed, unrouted, type Refusal } from "./refusal.ts";

/** A condition and why it is refused; `text` stands behind `policy.condition.cypher: `. */
export interface CypherRefusal extends Refusal {
  readonly versions: readonly Version[];
}

const clauses: readonly Row[] = [
  ["Cypher contains forbidden clauses: [RETURN] (line 1, column 29)", `${both} RETURN subject`],
  ["Cypher contains forbidden clauses: [FINISH] (line 1, column 29)", `${both} FINISH`],
  [
    "Cypher contains forbidden clauses: [CREATE, MERGE, SET, REMOVE, DETACH, DELETE] (line 1, column 29)",
    `${both} CREATE (x) MERGE (y) SET x.a = 1 REMOVE x.a DETACH DELETE x`,
  ],
  ["Cypher contains forbidden clauses: [CALL] (line 1, column 29)", `${both} CALL db.labels()`],
  [
    "Cypher contains forbidden clauses: [CALL] (line 1, column 29)",
    `${both} CALL { MATCH (x) RETURN x }`,
    unrouted,
  ],
  ["OPTIONAL CALL is not allowed (line 1, column 29)", `${both} OPTIONAL CALL { MATCH (x) RETURN x }`],
  ["USE clause is not allowed (line 1, column 1)", `USE graph.byName('a.b') ${both}`, unrouted],
  [
    "USE clause is not allowed (line 1, column 44)",
    `${both} WHERE EXISTS { USE graph.byName('a.b') MATCH (x) }`,
  ],
  ["planner hints are not allowed (line 1, column 29)", `${both} USING SCAN subject:Archivist`],
  ["UNION is not allowed (line 1, column 29)", `${both} UNION ${both}`],
  ["EXPLAIN is not allowed (line 1, column 1)", `EXPLAIN ${both}`],
  ['";" is not allowed (line 1, column 28)', `${both};`],
  ['unexpected "FETCH" (line 1, column 29)', `${both} FETCH (x)`],
  ["unexpected end of the text (line 1, column 34)", `${both} WHERE`],
];

const routing: readonly Row[] = [
  [
    "USE clause is not allowed (line 1, column 58)",
    `${both} WHERE NOT EXISTS { CALL () { USE graph.byName('a.b') MATCH (x) RETURN x } RETURN 1 AS one }`,
    routed,
  ],
  [
    "USE must be the first clause of its query (line 1, column 29)",
    `${both} USE graph.byName('a.b')`,
    routed,
  ],
  ["USE takes graph.byName and nothing else (line 1, column 1)", `USE neo4j ${both}`, routed],
  [
    "graph.byName argument must be a string literal or one parameter (line 1, column 18)",
    `USE graph.byName($order.at) ${both}`,
    routed,
  ],
  [
    "graph.byName argument must be a string literal or one parameter (line 1, column 18)",
    `USE graph.byName(coalesce($at, 'a')) ${both}`,
    routed,
  ],
  [
    "a location is written '<composite>.<constituent>' or as one parameter (line 1, column 18)",
    `USE graph.byName('north') ${both}`,
    routed,
  ],
  [
    'parameter "$subject_type" is reserved and cannot be a location (line 1, column 18)',
    `USE graph.byName($subject_type) ${both}`,
    routed,
  ],
  ["CALL { } needs a RETURN at its end (line 1, column 36)", `${both} CALL { MATCH (x) }`, routed],
  ["RETURN * returns nothing new (line 1, column 46)", `${both} CALL (subject) { RETURN * }`, routed],
  [
    '"subject" names a node and may be used for nothing else (line 1, column 37)',
    "MATCH (subject), (resource) MATCH ()-[subject]-()",
  ],
  [
    '"subject" names a node and may be used for nothing else (line 1, column 35)',
    `${both} WHERE any(subject IN [1] WHERE true)`,
  ],
  [
    "reduce returns a node or relationship only if its initial value is one (line 1, column 35)",
    `${both} WHERE reduce(a = null, i IN [1] | CASE WHEN i = 1 THEN subject ELSE a END) IS NULL`,
  ],
  [
    "an expression in RETURN needs AS and a name (line 1, column 53)",
    `${both} CALL { MATCH (x) RETURN x.external_id }`,
    routed,
  ],
  [
    "CALL nested deeper than 3 is not allowed (line 1, column 22)",
    "CALL { CALL { CALL { CALL { MATCH (subject), (resource) RETURN * } RETURN * } RETURN * } RETURN * }",
    routed,
  ],
  ['"x" is not bound (line 1, column 29)', `${both} CALL (x) { RETURN 1 AS one }`, routed],
  [
    '"resource" is bound already (line 1, column 53)',
    `${both} CALL { MATCH (resource) RETURN resource }`,
    routed,
  ],
  [
    '"subject" comes from another location; compare external_id instead (line 1, column 64)',
    "MATCH (subject) CALL (subject) { USE graph.byName('a.b') MATCH (subject)--(resource) RETURN resource }",
    routed,
  ],
];

const patterns: readonly Row[] = [
  [
    "quantified path patterns are not allowed; write -[:TYPE*1..3]-> (line 1, column 26)",
    "MATCH (subject)-[:NEXT]->+(resource)",
  ],
  [
    "quantified path patterns are not allowed; write -[:TYPE*1..3]-> (line 1, column 7)",
    "MATCH ((subject)-[:NEXT]->(resource)){1,3}",
  ],
  [
    "shortest paths are not allowed; write a bounded path, -[:TYPE*1..3]-> (line 1, column 7)",
    "MATCH shortestPath((subject)-[*]-(resource))",
  ],
  [
    "shortest paths are not allowed; write a bounded path, -[:TYPE*1..3]-> (line 1, column 7)",
    "MATCH ANY SHORTEST (subject)-[:NEXT]-(resource)",
  ],
  [
    "shortest paths are not allowed; write a bounded path, -[:TYPE*1..3]-> (line 1, column 42)",
    `${both} WHERE length(shortestPath((subject)-[*]-(resource))) = 1`,
  ],
  ["variable length above 20 is not allowed (line 1, column 26)", "MATCH (subject)-[:NEXT*..21]->(resource)"],
  [
    'a relationship of variable length takes types joined by "|" only (line 1, column 16)',
    "MATCH (subject)-[:!NEXT*..2]->(resource)",
  ],
  [
    "WHERE inside a relationship of variable length is not allowed; use all(r IN rels WHERE …) (line 1, column 29)",
    "MATCH (subject)-[r:NEXT*..2 WHERE true]->(resource)",
  ],
  [
    '":" does not combine relationship types; write ":A|B" (line 1, column 20)',
    "MATCH (subject)-[:A:B]->(resource)",
  ],
  ['"|:" does not combine labels; write ":A|B" (line 1, column 34)', `${both}, (x:A|:B)`],
  [
    'a label expression does not mix ":" with "&", "|", "!", "%" or parentheses (line 1, column 32)',
    `${both}, (x:Aa:Bb|Cc)`,
  ],
  ["dynamic labels are not allowed; write the label itself (line 1, column 33)", `${both}, (x:$('Film'))`],
  [
    "a parameter cannot be the property map of a pattern; write {key: value} (line 1, column 33)",
    `${both}, (x $map)`,
  ],
  ["not a property name (line 1, column 34)", `${both}, (x {\`a b\`: 1})`],
  [
    "properties are not nodes here: write x.property.<name> instead of a :Property node (line 1, column 28)",
    "MATCH (subject)-[:HAS]->(x:Property), (resource)",
  ],
  ['"_Node" is not a node type (line 1, column 33)', `${both}, (x:_Node)`],
  ['"_PART_OF" is not a relationship type (line 1, column 19)', "MATCH (subject)-[:_PART_OF]->(resource)"],
  ['the label of "subject" must be Archivist (line 1, column 7)', "MATCH (subject:Visitor), (resource)"],
  ['the label of "resource" must be Film (line 1, column 18)', "MATCH (subject), (resource:Reel)", kbac],
];

const names: readonly Row[] = [
  ['"subject" must be bound as a node (line 1, column 1)', "MATCH (resource)"],
  ['"resource" must be bound as a node (line 1, column 1)', "MATCH (subject)", kbac],
  [
    '"subject" must be bound by a MATCH, not by an OPTIONAL MATCH (line 1, column 1)',
    "OPTIONAL MATCH (subject) MATCH (resource)",
  ],
  ["missing required variables in WITH statement (line 1, column 29)", `${both} WITH resource`],
  ['"x" is not bound (line 1, column 35)', `${both} WHERE x.property.year = 1`],
  [
    '"x" is not bound; a pattern in an expression binds nothing (line 1, column 47)',
    `${both} WHERE (subject)-->(x)`,
  ],
  ['"r" is bound already (line 1, column 37)', "MATCH (subject)-[r]->(resource), (x)-[r]->(y)"],
  ['"r" is not a node (line 1, column 34)', "MATCH (subject)-[r]->(resource), (r)"],
  [
    '"x" is bound around this subquery (line 1, column 69)',
    `${both} MATCH (x) WHERE EXISTS { MATCH (y) WITH y AS x MATCH (x) }`,
  ],
  ['"subject" is bound already (line 1, column 29)', `${both} UNWIND [1] AS subject`],
  ['"subject" cannot be bound again (line 1, column 34)', `${both} WITH 1 AS subject, resource`],
  ['"x" is named twice (line 1, column 42)', `${both}, (x) WITH *, 1 AS x`],
  ['column "a" appears twice (line 1, column 45)', `${both} WITH *, 1 AS a, 2 AS a`],
  ["an expression in WITH needs AS and a name (line 1, column 37)", `${both} WITH *, resource.property.year`],
  ['the name "__x" is reserved (line 1, column 30)', `${both}, (__x)`],
  ['the name "__x" is reserved (line 1, column 37)', `${both} WITH *, 1 AS __x`],
  ['the name "__x" is reserved (line 1, column 29)', `${both} UNWIND [1] AS __x`],
  ['the name "__x" is reserved (line 1, column 35)', `${both} WHERE all(__x IN [1] WHERE true)`],
  ['"a b" is not a name for an alias (line 1, column 30)', `${both}, (\`a b\`)`],
  ['"a b" is not a name for a value (line 1, column 37)', `${both} WITH *, 1 AS \`a b\``],
  ['"a b" is not a name for a value (line 1, column 29)', `${both} UNWIND [1] AS \`a b\``],
];

const paths: readonly Row[] = [
  [
    "name: unknown field of a node; a property is written subject.property.name (line 1, column 35)",
    `${both} WHERE subject.name = 1`,
  ],
  [
    "property: a property name must follow .property (line 1, column 35)",
    `${both} WHERE subject.property = 1`,
  ],
  [
    "property.a.b: after the property name only .value, .metadata.<key> or .* may follow (line 1, column 35)",
    `${both} WHERE subject.property.a.b = 1`,
  ],
  [
    "trust_score._x: trust scores are _final_score, _validity, _verification, _freshness, _origin, _completeness (line 1, column 35)",
    `${both} WHERE subject.trust_score._x = 1`,
  ],
  ['"a b" is not a property name (line 1, column 35)', `${both} WHERE subject.\`a b\` = 1`],
  [
    "property.since: a relationship property is written r.since (line 1, column 39)",
    "MATCH (subject)-[r]->(resource) WHERE r.property.since = 1",
  ],
  [
    "a.b: not a path of a relationship (line 1, column 39)",
    "MATCH (subject)-[r]->(resource) WHERE r.a.b = 1",
  ],
  ['a path has no property "a" (line 1, column 40)', "MATCH p = (subject)-->(resource) WHERE p.a = 1"],
  ['a list has no property "a" (line 1, column 43)', "MATCH (subject)-[r*..2]->(resource) WHERE r.a = 1"],
  [
    'a value that may be a node has no property "a" (line 1, column 35)',
    `${both} WHERE [subject, 1][0].a = 1`,
  ],
  [
    'name the node or relationship in "a.b" by WITH before its properties (line 1, column 35)',
    `${both} WHERE {a: subject}.a.b = 1`,
  ],
  [
    "a subscript reads no property of a node or relationship; write x.property.<name> (line 1, column 35)",
    `${both} WHERE subject['name'] = 1`,
  ],
];

const references: readonly Row[] = [
  ["$token needs a claim: $token.<claim> (line 1, column 35)", `${both} WHERE $token = 1`],
  ["$ik_token needs a claim: $ik_token.<claim> (line 1, column 35)", `${both} WHERE $ik_token = 1`],
  [
    "$request is read by $request.subject|resource|action.properties.<key> and $request.context.<key> (line 1, column 35)",
    `${both} WHERE $request.subject.id = 1`,
    kbac,
  ],
  [
    'parameter "$request" is reserved and cannot be referenced (line 1, column 35)',
    `${both} WHERE $request.context.door = 1`,
    ciq,
  ],
  [
    'parameter "$subject_id" is reserved and cannot be referenced (line 1, column 35)',
    `${both} WHERE $subject_id = 1`,
    kbac,
  ],
  [
    'parameter "$_appId" is reserved and cannot be referenced (line 1, column 35)',
    `${both} WHERE $_appId = 'a'`,
    kbac,
  ],
  ['parameter "$__x" is reserved and cannot be referenced (line 1, column 35)', `${both} WHERE $__x = 1`],
  [
    "$subject_type is a text and has no members (line 1, column 35)",
    `${both} WHERE $subject_type.a = 1`,
    kbac,
  ],
  ["$_appId is a text and has no members (line 1, column 35)", `${both} WHERE $_appId.a = 1`, ciq],
];

/** Every refusal of a condition, in the order of a reader's questions. */
export const cypherRefusals: readonly CypherRefusal[] = [
  ...[...clauses, ...routing, ...patterns, ...names, ...paths],
  ...[...references, ...expressionRows, ...boundsRows, ...tokenRows],
].map(([text, example, versions = all]) => ({ text, example, versions }));
