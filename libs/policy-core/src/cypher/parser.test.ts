import { describe, expect, it } from "@jest/globals";
import { parse } from "./parser.ts";
import { printTree } from "./printer.ts";
import type { Allowed } from "./parser.ts";

const plain: Allowed = { use: false, call: false };
const routed: Allowed = { use: true, call: true };

const read = (text: string, allowed: Allowed = plain): string | readonly string[] => {
  const parsed = parse(text, allowed);
  return parsed.ok ? printTree(parsed.query) : parsed.faults.map((fault) => fault.message);
};

describe("clauses of every version", () => {
  it.each([
    ["MATCH (a)", "MATCH (a)"],
    ["match (subject)-[:ON]->(w:Ward)", "MATCH (subject)-[:ON]->(w:Ward)"],
    ["OPTIONAL MATCH (a)--(b), (c) WHERE a.x = 1", "OPTIONAL MATCH (a)--(b), (c) WHERE (a.x = 1)"],
    ["MATCH (a)MATCH (b)WHERE a.x=b.x", "MATCH (a) MATCH (b) WHERE (a.x = b.x)"],
    ["MATCH (a:(A|B)WHERE a.x=1)WITH a", "MATCH (a:A|B WHERE (a.x = 1)) WITH a"],
    ["MATCH (a) WITH *", "MATCH (a) WITH *"],
    ["MATCH (a) WITH DISTINCT *, a.x AS x", "MATCH (a) WITH DISTINCT *, a.x AS x"],
    [
      "MATCH (a) WITH a, COUNT(*) AS n, COLLECT(DISTINCT a) AS l ORDER BY n DESC, a.x ASC SKIP 1 LIMIT $p WHERE n > 1",
      "MATCH (a) WITH a, count(*) AS n, collect(DISTINCT a) AS l ORDER BY n DESC, a.x SKIP 1 LIMIT $p WHERE (n > 1)",
    ],
    ["MATCH (a) WITH a OFFSET 2", "MATCH (a) WITH a SKIP 2"],
    ["UNWIND $list AS x MATCH (a {external_id: x})", "UNWIND $list AS x MATCH (a {external_id: x})"],
    ["MATCH (a) // the end; CREATE (b)", "MATCH (a)"],
    ["MATCH (a) /* SET a.x = 1 */ WHERE a.y = 'DELETE a'", "MATCH (a) WHERE (a.y = 'DELETE a')"],
  ])("%s", (text, expected) => {
    expect(read(text)).toBe(expected);
    expect(read(text, routed)).toBe(expected);
  });
});

describe("patterns", () => {
  it.each([
    ["MATCH (a)-->(b)<--(c)--(d)<-->(e)", "MATCH (a)-->(b)<--(c)--(d)--(e)"],
    ["MATCH (a)-[x]-(b)", "MATCH (a)-[x]-(b)"],
    ["MATCH (a) < - [ x : T ] - ( b )", "MATCH (a)<-[x:T]-(b)"],
    ["MATCH (a)-[:A|B*..3]->(b)", "MATCH (a)-[:A|B*..3]->(b)"],
    ["MATCH (a)-[:A|:B]->(b)", "MATCH (a)-[:A|B]->(b)"],
    [
      "MATCH (a)-[r:A*]-(b)-[*3]-(c)-[*2..]-(d)-[*1..20]-(e)",
      "MATCH (a)-[r:A*]-(b)-[*3]-(c)-[*2..]-(d)-[*1..20]-(e)",
    ],
    [
      "MATCH (a)-[r:!(A&B)|% {x: 1} WHERE r.y = 2]->(b)",
      "MATCH (a)-[r:!(A&B)|% {x: 1} WHERE (r.y = 2)]->(b)",
    ],
    ["MATCH (a:A:B)-->(:A&(B|!C) {x: $p})", "MATCH (a:A&B)-->(:A&(B|!C) {x: $p})"],
    ["MATCH (a IS Car)-[r IS T]->(IS X)", "MATCH (a:Car)-[r:T]->(:X)"],
    ["MATCH p = (a)-->(b)", "MATCH p = (a)-->(b)"],
    ["MATCH any = (a)-->(b)", "MATCH `any` = (a)-->(b)"],
    ["MATCH (WHERE true)", "MATCH (WHERE true)"],
    [
      "MATCH (where), (where:Car), (where WHERE where.x = 1)",
      "MATCH (`where`), (`where`:Car), (`where` WHERE (`where`.x = 1))",
    ],
    [
      "MATCH (match:Set)-[with:`x``y`]->(property {property: 1})",
      "MATCH (`match`:Set)-[`with`:`x``y`]->(property {property: 1})",
    ],
    ["MATCH (a)-[r]->(b)-[WHERE true]->(c)", "MATCH (a)-[r]->(b)-[WHERE true]->(c)"],
    ["MATCH (`USE`:`CREATE (b)`)", "MATCH (`USE`:`CREATE (b)`)"],
  ])("%s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    ["MATCH (a)-[r:A*1..21]->(b)", "variable length above 20 is not allowed"],
    ["MATCH (a)-[*99999999999]->(b)", "variable length above 20 is not allowed"],
    [
      "MATCH (a)-[*1..3 WHERE true]->(b)",
      "WHERE inside a relationship of variable length is not allowed; use all(r IN rels WHERE …)",
    ],
    ["MATCH (a)-[:!A*1..3]->(b)", 'a relationship of variable length takes types joined by "|" only'],
    ["MATCH ((a)-->(b)){1,3}", "quantified path patterns are not allowed; write -[:TYPE*1..3]->"],
    ["MATCH (a)-->{1,3}(b)", "quantified path patterns are not allowed; write -[:TYPE*1..3]->"],
    ["MATCH (p = (a)-->(b))+", "quantified path patterns are not allowed; write -[:TYPE*1..3]->"],
    [
      "MATCH p = shortestPath((a)-[*]->(b))",
      "shortest paths are not allowed; write a bounded path, -[:TYPE*1..3]->",
    ],
    [
      "MATCH allShortestPaths((a)-[*]->(b))",
      "shortest paths are not allowed; write a bounded path, -[:TYPE*1..3]->",
    ],
    ["MATCH ANY SHORTEST (a)-->(b)", "shortest paths are not allowed; write a bounded path, -[:TYPE*1..3]->"],
    [
      "MATCH p = ALL SHORTEST (a)-->(b)",
      "shortest paths are not allowed; write a bounded path, -[:TYPE*1..3]->",
    ],
    [
      "MATCH SHORTEST 2 PATHS (a)-->(b)",
      "shortest paths are not allowed; write a bounded path, -[:TYPE*1..3]->",
    ],
    ["MATCH (a:$(b))", "dynamic labels are not allowed; write the label itself"],
    ["MATCH (a $props)", "a parameter cannot be the property map of a pattern; write {key: value}"],
    ["MATCH (a:A|:B)", '"|:" does not combine labels; write ":A|B"'],
    ["MATCH (a)-[:A:B]->(b)", '":" does not combine relationship types; write ":A|B"'],
    ["MATCH (a:A:B&C)", 'a label expression does not mix ":" with "&", "|", "!", "%" or parentheses'],
    ["MATCH REPEATABLE ELEMENTS (a)", 'unexpected "REPEATABLE"'],
    ["MATCH (a)-[r]>(b)", 'unexpected "-"'],
    ["MATCH (a b)", 'unexpected "b"'],
    ["OPTIONAL MATCH (a b)", 'unexpected "b"'],
    ["MATCH a", 'unexpected "a"'],
    ["MATCH", "unexpected end of the text"],
    ["", "unexpected end of the text"],
    ["// nothing", "unexpected end of the text"],
  ])("%s is refused: %s", (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });
});

describe("forms that real conditions have", () => {
  it.each([
    "MATCH (subject)-[:ON]->(w:Ward)-[:HOLDS]->(resource)",
    "MATCH (subject:Nurse), (property:Address) WHERE property.property.city = 'Oslo'",
    "MATCH (subject:Nurse)-[:ON]->(w:Ward)MATCH (w)-[:HOLDS]->(c:Chart)WHERE c.property.open = true",
    "MATCH (subject)-->(a)--(b)-[x]-(c)<--(d)",
    "MATCH (subject:Nurse)-[:ON|LEADS*..3]->(w:Ward)",
    "MATCH (subject)-[rels:CALLS*]->(a) WHERE ALL(r IN rels WHERE r.shift = subject.external_id AND endNode(r):Ward)",
    "MATCH (subject)-[rels:CALLS*]->(a) WITH subject, [r IN rels | endNode(r).external_id] AS path",
    "MATCH (subject)-->(c) WITH subject, COLLECT(DISTINCT c) AS charts, $token.act.sub AS agent",
    "MATCH (subject) WHERE subject.property.a = 1 MATCH (b) WHERE b.property.x.metadata.source = 'hr' MATCH (c)",
    "MATCH (subject) OPTIONAL MATCH (subject)-->(a) OPTIONAL MATCH (a)-->(b) OPTIONAL MATCH (b)-->(c)",
    "MATCH (subject {external_id: 'literal'})",
    "MATCH (subject)-->(c:Chart) WHERE subject.property.level >= c.property.min_level",
    "MATCH (subject)-->(c) WHERE NOT (subject)-[:BLOCKED]->(c)",
    "MATCH (a), (b) WHERE a <> b",
    "MATCH (a) WHERE ((a.property.x = 1 AND (a.property.y = 2 OR a.property.z IN $list)) OR a.property.w IS NULL)",
    "MATCH (subject)-[s:SIGNED]->(c) WITH subject, s.shift AS shift, c.property.title.value AS title, count(*) AS n",
    "MATCH (subject)-->(c) WITH subject, COLLECT({ title: c.property.title.value }) AS titles",
    "MATCH (subject) WHERE subject.external_id = $token.sub WITH subject LIMIT 1 MATCH (subject)-->(c)",
    "MATCH (subject)-->(c) WHERE c.trust_score._final_score > 0.5 AND $request.context.ip STARTS WITH '10.'",
  ])("%s", (text) => {
    expect(parse(text, plain)).toHaveProperty("ok", true);
  });
});

describe("forbidden clauses", () => {
  const listed = (...clauses: readonly string[]) => [
    `Cypher contains forbidden clauses: [${clauses.join(", ")}]`,
  ];

  it.each([
    ["MATCH (a) CREATE (b)", listed("CREATE")],
    ["MATCH (a) INSERT (b)", listed("INSERT")],
    ["MATCH (a) CREATE (b) SET b.x = 1 CREATE (c) SET c.y = 2 DELETE b", listed("CREATE", "SET", "DELETE")],
    ["MERGE (a) ON CREATE SET a.x = 1 ON MATCH SET a.y = 2", listed("MERGE", "SET")],
    ["MATCH (a) REMOVE a.x, a:Set", listed("REMOVE")],
    ["MATCH (a) DETACH DELETE a", listed("DETACH", "DELETE")],
    ["MATCH (set) DELETE set", listed("DELETE")],
    ["LOAD CSV WITH HEADERS FROM 'x' AS line", listed("LOAD CSV")],
    ["MATCH (a) FOREACH (x IN [1] | SET a.x = x)", listed("FOREACH")],
    ["LOAD CSV FROM 'x' AS line MATCH (a)", listed("LOAD CSV")],
    ["MATCH (a) RETURN a ORDER BY a.x SKIP 1 LIMIT 2", listed("RETURN")],
    ["MATCH (a) FINISH", listed("FINISH")],
    ["CREATE INDEX x FOR (n:A) ON (n.x)", listed("CREATE")],
    ["DROP CONSTRAINT x", listed("DROP")],
    ["CALL db.labels() YIELD label MATCH (a)", listed("CALL")],
    ["CALL db.labels", listed("CALL")],
    ["MATCH (a) WHERE EXISTS { MATCH (a)-->(b) DELETE b } SET a.x = 1", listed("DELETE", "SET")],
  ])("%s", (text, expected) => {
    expect(read(text)).toEqual(expected);
    expect(read(text, routed)).toEqual(expected);
  });

  it.each([
    [
      "MATCH (delete:Set {create: 1})-[merge:CALL]->(remove) WHERE delete.detach = 'RETURN' WITH delete AS set, merge, remove",
    ],
    ["MATCH (a) WHERE a.x = $create AND a.set = 1"],
    ["MATCH (a) WITH a.delete AS delete, a.load AS load WHERE delete = load"],
    ["MATCH (a) WITH {create: 1, set: 2} AS merge"],
  ])("%s is fine: names are no clauses", (text) => {
    expect(parse(text, plain).ok).toBe(true);
  });
});

describe("what is not allowed by name", () => {
  it.each([
    ["MATCH (a) USING INDEX a:A(x) WHERE a.x = 1", "planner hints are not allowed"],
    ["MATCH (a) USING SCAN a:A", "planner hints are not allowed"],
    ["MATCH (a)-->(b) USING JOIN ON b", "planner hints are not allowed"],
    ["MATCH (a) UNION MATCH (b)", "UNION is not allowed"],
    ["MATCH (a) UNION ALL MATCH (b)", "UNION is not allowed"],
    ["MATCH (a);", '";" is not allowed'],
    ["EXPLAIN MATCH (a)", "EXPLAIN is not allowed"],
    ["PROFILE MATCH (a)", "PROFILE is not allowed"],
    ["CYPHER 25 MATCH (a)", "CYPHER is not allowed"],
    ["CYPHER runtime=slotted MATCH (a)", "CYPHER is not allowed"],
    ["SHOW DATABASES", "SHOW is not allowed"],
    ["MATCH (a) LET x = 1", "LET is not allowed"],
    ["MATCH (a) FILTER a.x = 1", "FILTER is not allowed"],
    ["FOR x IN [1] MATCH (a)", "FOR is not allowed"],
    ["MATCH (a) NEXT MATCH (b)", "NEXT is not allowed"],
    ["OPTIONAL CALL { MATCH (a) RETURN a }", "OPTIONAL CALL is not allowed"],
    ["MATCH (a) WITH a.x", "an expression in WITH needs AS and a name"],
    ["MATCH (a) WITH a, a.x AS a", 'column "a" appears twice'],
    ["MATCH (a) WITH a SKIP a.x", "SKIP and LIMIT must not refer to variables"],
    ["MATCH (a) WITH a LIMIT 'x'", "SKIP and LIMIT take a number from 0 on"],
    ["MATCH (a) WITH a LIMIT -1", "SKIP and LIMIT take a number from 0 on"],
    ["MATCH (a) WITH count(count(a)) AS n", "aggregating function count is not allowed here"],
    ["MATCH (a) WITH [x IN [1] | count(x)] AS n", "aggregating function count is not allowed here"],
    ["FETCH (a)", 'unexpected "FETCH"'],
    ["`MATCH` (a)", 'unexpected "`MATCH`"'],
  ])("%s: %s", (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });
});

describe("USE and CALL", () => {
  it.each([
    ["USE graph.byName('hospital.db1') MATCH (a)", "USE graph.byName('hospital.db1') MATCH (a)"],
    ["use GRAPH.BYNAME($loc) MATCH (a)", "USE graph.byName($loc) MATCH (a)"],
    ["CALL { MATCH (a) RETURN a }", "CALL { MATCH (a) RETURN a }"],
    [
      "MATCH (a) CALL { WITH a MATCH (a)-->(b) RETURN b.x AS x }",
      "MATCH (a) CALL { WITH a MATCH (a)-->(b) RETURN b.x AS x }",
    ],
    [
      "CALL () { USE graph.byName($loc) MATCH (a) RETURN * }",
      "CALL () { USE graph.byName($loc) MATCH (a) RETURN * }",
    ],
    [
      "MATCH (a), (b) CALL (a, b) { MATCH (a)--(b) RETURN count(*) AS n }",
      "MATCH (a), (b) CALL (a, b) { MATCH (a)--(b) RETURN count(*) AS n }",
    ],
    [
      "MATCH (a) CALL (*) { MATCH (b) RETURN DISTINCT b LIMIT 1 }",
      "MATCH (a) CALL (*) { MATCH (b) RETURN DISTINCT b LIMIT 1 }",
    ],
    [
      "CALL { CALL { CALL { MATCH (a) RETURN a } RETURN a } RETURN a }",
      "CALL { CALL { CALL { MATCH (a) RETURN a } RETURN a } RETURN a }",
    ],
  ])("%s", (text, expected) => {
    expect(read(text, routed)).toBe(expected);
  });

  it.each([
    ["USE graph.byName($loc) MATCH (a)", ["USE clause is not allowed"]],
    ["CALL { CREATE (a) RETURN a }", ["Cypher contains forbidden clauses: [CALL]"]],
    ["MATCH (a) CALL (a) { MATCH (a)-->(b) RETURN b }", ["Cypher contains forbidden clauses: [CALL]"]],
    [
      "USE graph.byName($loc) CALL { MATCH (a) RETURN a } MATCH (a) RETURN a",
      ["USE clause is not allowed", "Cypher contains forbidden clauses: [CALL, RETURN]"],
    ],
  ])("%s is refused where the version has neither", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  const argument = "graph.byName argument must be a string literal or one parameter";
  it.each([
    ["USE graph.byName(coalesce($loc, 'x')) MATCH (a)", argument],
    ["USE graph.byName('a' + 'b') MATCH (a)", argument],
    ["USE graph.byName($order.loc) MATCH (a)", argument],
    ["USE graph.byName() MATCH (a)", argument],
    ["USE graph.byName('a', 'b') MATCH (a)", argument],
    ["USE graph.byElementId('x') MATCH (a)", "USE takes graph.byName and nothing else"],
    ["USE neo4j MATCH (a)", "USE takes graph.byName and nothing else"],
    ["MATCH (a) USE graph.byName('x')", "USE must be the first clause of its query"],
    ["MATCH (a) WHERE EXISTS { USE graph.byName('x') MATCH (a) }", "USE clause is not allowed"],
    ["CALL { MATCH (a) }", "CALL { } needs a RETURN at its end"],
    ["CALL (a) { MATCH (a) RETURN a.x }", "an expression in RETURN needs AS and a name"],
    ["CALL { MATCH (a) RETURN a UNION MATCH (a) RETURN a }", "UNION is not allowed"],
    ["CALL { MATCH (a) RETURN a } IN TRANSACTIONS", "Cypher contains forbidden clauses: [CALL]"],
    ["CALL { MATCH (a) SET a.x = 1 RETURN a }", "Cypher contains forbidden clauses: [SET]"],
    [
      "CALL { CALL { CALL { CALL { MATCH (a) RETURN a } RETURN a } RETURN a } RETURN a }",
      "CALL nested deeper than 3 is not allowed",
    ],
    ["CALL { }", 'unexpected "}"'],
  ])("%s: %s", (text, expected) => {
    expect(read(text, routed)).toEqual([expected]);
  });
});

describe("faults", () => {
  it("name line, column and offset", () => {
    const parsed = parse("MATCH (a)\nWHERE a.x == 1\n  // comment\n  CREATE (b)", plain);
    expect(parsed).toEqual({
      ok: false,
      faults: [
        { message: 'unexpected "="; write a single = for equality', line: 2, column: 12, offset: 21 },
        { message: "Cypher contains forbidden clauses: [CREATE]", line: 4, column: 3, offset: 40 },
      ],
    });
  });

  it("are reported together, in the order of the text", () => {
    expect(
      read("MATCH (a)-[*..30]->(b) WHERE id(a) = 1 RETURN a WITH b.x MATCH (c d) UNWIND [1] AS x"),
    ).toEqual([
      "variable length above 20 is not allowed",
      "function id is not allowed",
      "Cypher contains forbidden clauses: [RETURN]",
      "an expression in WITH needs AS and a name",
      'unexpected "d"',
    ]);
  });

  it("come with the tree where the whole text could be read", () => {
    const readable = parse("MATCH (a) WHERE elementId(a) = $subject_id", plain);
    expect(!readable.ok && readable.query?.clauses.length).toBe(1);
    const torn = parse("MATCH (a) RETURN a", plain);
    expect(!torn.ok && "query" in torn).toBe(false);
  });

  it("are at most fifty", () => {
    const parsed = parse("MATCH (a b) ".repeat(500), plain);
    expect(!parsed.ok && parsed.faults.length).toBe(50);
  });
});
