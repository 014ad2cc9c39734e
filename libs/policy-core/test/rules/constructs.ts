import { versions, type Version } from "./versions.ts";

/** What a version does with a construct: `accepted`, or the text by which it is refused. */
export interface Construct {
  readonly construct: string;
  readonly cypher: string;
  readonly outcomes: Readonly<Record<Version, string>>;
}

export const accepted = "accepted";

const inAll = (outcome: string): Construct["outcomes"] => ({
  "2.0-kbac": outcome,
  "3.0-kbac": outcome,
  "1.0-ciq": outcome,
});

const yes = (construct: string, cypher: string): Construct => ({
  construct,
  cypher,
  outcomes: inAll(accepted),
});

const no = (construct: string, cypher: string, text: string): Construct => ({
  construct,
  cypher,
  outcomes: inAll(text),
});

const onlyIn3 = (construct: string, cypher: string, text: string): Construct => ({
  construct,
  cypher,
  outcomes: { ...inAll(text), "3.0-kbac": accepted },
});

const both = "MATCH (subject)-[:CARES_FOR]->(resource)";
const where = (expression: string): string => `${both} WHERE ${expression}`;
const forbidden = (clauses: string, column = 42): string =>
  `Cypher contains forbidden clauses: [${clauses}] (line 1, column ${column})`;

const rows: readonly Construct[] = [
  yes("MATCH", both),
  yes("MATCH, twice", "MATCH (subject) MATCH (resource)"),
  yes("MATCH with comma patterns", "MATCH (subject)-->(x), (resource)-->(x)"),
  yes("OPTIONAL MATCH", `${both} OPTIONAL MATCH (subject)-[:KEEPS]->(x)`),
  yes("WHERE", where("resource.property.year > 1930")),
  yes("WHERE behind OPTIONAL MATCH", `${both} OPTIONAL MATCH (resource)-->(x) WHERE x.property.a = 1`),

  yes("WITH of aliases", `${both} WITH subject, resource`),
  yes("WITH *", `${both} WITH *`),
  yes("WITH and AS", `${both} WITH *, resource.property.year AS year`),
  yes("WITH and aggregation", `${both} MATCH (resource)-->(x) WITH subject, resource, count(x) AS n`),
  yes("WITH DISTINCT", `${both} WITH DISTINCT subject, resource`),
  yes("WITH and ORDER BY", `${both} WITH * ORDER BY resource.property.year DESC, subject.external_id`),
  yes("WITH and SKIP", `${both} WITH * ORDER BY resource.external_id SKIP 1`),
  yes("WITH and LIMIT", `${both} WITH * ORDER BY resource.external_id LIMIT 1`),
  yes("WITH and WHERE", `${both} WITH * WHERE subject.external_id <> resource.external_id`),

  yes("UNWIND", `UNWIND [1, 2] AS n ${both} WHERE resource.property.reels = n`),

  yes("EXISTS of a pattern", where("EXISTS { (resource)-[:IS_ON]->(:Reel) }")),
  yes(
    "EXISTS of clauses",
    where("EXISTS { MATCH (resource)-[:IS_ON]->(r) WHERE r.property.base = 'nitrate' }"),
  ),
  yes("COUNT of a pattern", where("COUNT { (resource)-[:IS_ON]->() } > 1")),
  yes("COUNT of clauses", where("COUNT { MATCH (resource)-[:IS_ON]->(r) WITH DISTINCT r } > 1")),
  yes("pattern predicate", where("(subject)-[:KEEPS]->()-->(resource)")),
  yes("pattern predicate under NOT", where("NOT (subject)-[:KEEPS]->(resource)")),
  yes(
    "pattern comprehension",
    where("size([(resource)-[:IS_ON]->(r) WHERE r.property.a = 1 | r.external_id]) = 1"),
  ),
  yes("list comprehension", where("[x IN [1, 2, 3] WHERE x > 1 | x * 2] = [4, 6]")),
  yes("all()", where("all(x IN [1] WHERE x > 0)")),
  yes("any()", where("any(x IN [1] WHERE x > 0)")),
  yes("none()", where("none(x IN [1] WHERE x > 0)")),
  yes("single()", where("single(x IN [1] WHERE x > 0)")),
  yes("reduce()", where("reduce(sum = 0, x IN [1, 2] | sum + x) = 3")),
  yes("CASE of conditions", where("CASE WHEN resource.property.a = 1 THEN true ELSE false END")),
  yes("CASE of values", where("CASE resource.property.a WHEN 1, 2 THEN true END")),

  onlyIn3(
    "USE of a fixed graph",
    `USE graph.byName('archive.db1') ${both}`,
    "USE clause is not allowed (line 1, column 1)",
  ),
  onlyIn3(
    "USE of a location parameter",
    `USE graph.byName($at) ${both}`,
    "USE clause is not allowed (line 1, column 1)",
  ),
  onlyIn3(
    "USE in a subquery",
    "CALL () { USE graph.byName($at) MATCH (subject)-->(resource) RETURN subject, resource }",
    forbidden("CALL", 1),
  ),
  {
    construct: "USE that is not the first clause",
    cypher: `${both} USE graph.byName('archive.db1')`,
    outcomes: {
      ...inAll("USE clause is not allowed (line 1, column 42)"),
      "3.0-kbac": "USE must be the first clause of its query (line 1, column 42)",
    },
  },
  onlyIn3("CALL { }", `${both} CALL { MATCH (x) RETURN x } `, forbidden("CALL")),
  onlyIn3(
    "CALL { } with an importing WITH",
    `${both} CALL { WITH resource MATCH (resource)-->(x) RETURN x }`,
    forbidden("CALL"),
  ),
  onlyIn3(
    "CALL () { }",
    "CALL () { MATCH (subject)-->(resource) RETURN subject, resource }",
    forbidden("CALL", 1),
  ),
  onlyIn3("CALL (a, b) { }", `${both} CALL (subject, resource) { RETURN 1 AS one }`, forbidden("CALL")),

  no("CALL of a procedure", `${both} CALL db.labels()`, forbidden("CALL")),
  no("CALL of a procedure with YIELD", `${both} CALL db.labels() YIELD label`, forbidden("CALL")),
  no("CALL { } IN TRANSACTIONS", `${both} CALL { MATCH (x) RETURN x } IN TRANSACTIONS`, forbidden("CALL")),
  no("RETURN", `${both} RETURN subject`, forbidden("RETURN")),
  no("FINISH", `${both} FINISH`, forbidden("FINISH")),

  no("CREATE", `${both} CREATE (x)`, forbidden("CREATE")),
  no("INSERT", `${both} INSERT (x)`, forbidden("INSERT")),
  no("MERGE", `${both} MERGE (x)`, forbidden("MERGE")),
  no("SET", `${both} SET resource.a = 1`, forbidden("SET")),
  no("REMOVE", `${both} REMOVE resource.a`, forbidden("REMOVE")),
  no("DELETE", `${both} DELETE resource`, forbidden("DELETE")),
  no("DETACH DELETE", `${both} DETACH DELETE resource`, forbidden("DETACH, DELETE")),
  no("NODETACH DELETE", `${both} NODETACH DELETE resource`, forbidden("NODETACH, DELETE")),
  no("FOREACH", `${both} FOREACH (x IN [1] | SET resource.a = x)`, forbidden("FOREACH")),
  no("LOAD CSV", `LOAD CSV FROM 'file:///x' AS line ${both}`, forbidden("LOAD CSV", 1)),
  no("CREATE INDEX", "CREATE INDEX x FOR (n:Film) ON (n.year)", forbidden("CREATE", 1)),
  no(
    "CREATE CONSTRAINT",
    "CREATE CONSTRAINT x FOR (n:Film) REQUIRE n.year IS UNIQUE",
    forbidden("CREATE", 1),
  ),
  no("DROP INDEX", "DROP INDEX x", forbidden("DROP", 1)),
  no("DROP CONSTRAINT", "DROP CONSTRAINT x", forbidden("DROP", 1)),
  no("ALTER", "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'", forbidden("ALTER, SET", 1)),
  no("GRANT", "GRANT ROLE a TO b", forbidden("GRANT", 1)),
  no("TERMINATE", "TERMINATE TRANSACTIONS 'a'", forbidden("TERMINATE", 1)),
  no(
    "each forbidden clause once, in order of appearance",
    `${both} SET resource.a = 1 CREATE (x) SET x.a = 1 DELETE x`,
    forbidden("SET, CREATE, DELETE"),
  ),
  no("RETURN alone in EXISTS", where("EXISTS { RETURN 1 }"), 'unexpected "RETURN" (line 1, column 57)'),
  no("a forbidden clause inside EXISTS", where("EXISTS { MATCH (x) DELETE x }"), forbidden("DELETE", 67)),

  no(
    "USING INDEX",
    `${both} USING INDEX resource:Film(year)`,
    "planner hints are not allowed (line 1, column 42)",
  ),
  no("USING SCAN", `${both} USING SCAN resource:Film`, "planner hints are not allowed (line 1, column 42)"),
  no("USING JOIN", `${both} USING JOIN ON resource`, "planner hints are not allowed (line 1, column 42)"),

  no("UNION", `${both} UNION ${both}`, "UNION is not allowed (line 1, column 42)"),
  no("UNION ALL", `${both} UNION ALL ${both}`, "UNION is not allowed (line 1, column 42)"),
  no(";", `${both};`, '";" is not allowed (line 1, column 41)'),
  no("EXPLAIN", `EXPLAIN ${both}`, "EXPLAIN is not allowed (line 1, column 1)"),
  no("PROFILE", `PROFILE ${both}`, "PROFILE is not allowed (line 1, column 1)"),
  no("CYPHER", `CYPHER 25 ${both}`, "CYPHER is not allowed (line 1, column 1)"),
  no("SHOW", "SHOW DATABASES", "SHOW is not allowed (line 1, column 1)"),
  {
    construct: "USE by other means",
    cypher: `USE neo4j ${both}`,
    outcomes: {
      ...inAll("USE clause is not allowed (line 1, column 1)"),
      "3.0-kbac": "USE takes graph.byName and nothing else (line 1, column 1)",
    },
  },
  {
    construct: "USE in back-quotes",
    cypher: `\`USE\` graph.byName('archive.db1') ${both}`,
    outcomes: inAll('unexpected "`USE`" (line 1, column 1)'),
  },
  no("what the reader does not know", `${both} FETCH (x)`, 'unexpected "FETCH" (line 1, column 42)'),

  yes("a keyword in a string", where("resource.property.a = 'CREATE (x) RETURN x; DELETE x'")),
  yes("a keyword in a line comment", `${both} // DELETE resource\nWHERE true`),
  yes("a keyword in a block comment", `${both} /* CALL db.labels() */ WHERE true`),
  yes("a keyword in back-quotes", `${both}, (\`RETURN\`:\`Create\`) WHERE \`RETURN\`.property.\`set\` = 1`),
  yes(
    "an alias called delete",
    `${both}, (delete:Set)-[merge:CALL]->(remove) WHERE delete.property.create = 1`,
  ),
  yes("a property called delete", where("resource.property.delete = 1 AND resource.property.call = 2")),
];

/** Every construct of Cypher, accepted or refused; functions, operators and patterns stand in `expressions.ts`. */
export const constructs: readonly Construct[] = rows;

/** One case for each version. */
export const constructCases: readonly (readonly [string, Version, string, string])[] = rows.flatMap(
  ({ construct, cypher, outcomes }) =>
    versions.map((version) => [construct, version, outcomes[version], cypher] as const),
);
