import { describe, expect, it } from "@jest/globals";
import { compilePolicy } from "../../src/index.ts";
import { trialStatements } from "../../src/statements/index.ts";
import { dangersOf } from "./read-only.ts";

const compile = (cypher: string) =>
  compilePolicy(
    JSON.stringify({
      meta: { policy_version: "3.0-kbac" },
      subject: { type: "Nurse" },
      actions: ["SIGN"],
      resource: { type: "Chart" },
      condition: { cypher },
    }),
  );

const ends = "MATCH (subject), (resource)";

/** [what it is, the text, what is printed of it]: taken, and guarded all the same. */
const taken: readonly (readonly [string, string, string])[] = [
  ["WHERE alone in a node", "MATCH (subject)-->(WHERE true)-->(resource)", "(:_P__00000000 WHERE true)"],
  [
    "WHERE without a blank after a label expression",
    "MATCH (subject)-->(x:(Aa|Bb)WHERE x.property.a = 1)-->(resource)",
    "(x:Aa__00000000|Bb__00000000 WHERE (x.a = 1))",
  ],
  ["a variable named where", `${ends}, (where) WHERE where.property.x = 1`, "(`where`:_P__00000000)"],
  [
    "a variable named where before its WHERE",
    "MATCH (where WHERE where.property.x = 1), (subject), (resource)",
    "(`where`:_P__00000000 WHERE (`where`.x = 1))",
  ],
  [
    "variables named property and match",
    "MATCH (property)-->(subject), (match)-->(resource) WHERE property.property.x = match.property.property",
    "(`match`:_P__00000000)-->(resource",
  ],
  [
    "a back-quoted type with back-quotes",
    "MATCH (subject)-[:`A``]->() DETACH DELETE subject //`]->(resource)",
    "-[:`A``]->() DETACH DELETE subject //`]->",
  ],
  [
    "comments that hold clauses",
    `${ends}, (n) /* CREATE (x) RETURN 1 */ // DELETE subject`,
    ", (n:_P__00000000)",
  ],
  ["USE as a name", "MATCH (subject)-->(`USE`:`USE`)-->(resource)", "(`USE`:USE__00000000)"],
  [
    "a label bar before the bar of a comprehension",
    `${ends} WHERE size([x IN [subject] WHERE x:Aa|Bb | x]) = 1`,
    "WHERE (x:Aa__00000000|Bb__00000000) | x]",
  ],
  [
    "a label bar behind the bar of a comprehension",
    `${ends} WHERE size([x IN [subject] | x:Aa|Bb]) = 1`,
    "| (x:Aa__00000000|Bb__00000000)]",
  ],
  ["a negated label", `${ends}, (n:!Ward)`, "(n:!Ward__00000000&_P__00000000)"],
  ["any label", `${ends}, (n:%)`, "(n:_P__00000000)"],
  ["no label at all", `${ends}, (n:!%)`, "(n:!_P__00000000&_P__00000000)"],
  ["a label or its opposite", `${ends}, (n:Ward|!Ward)`, "(n:(Ward__00000000|!Ward__00000000)&_P__00000000)"],
  ["the label of another project", `${ends}, (n:Ward__11111111)`, "(n:Ward__11111111__00000000)"],
  ["a property named as our key", `${ends} WHERE subject.property._key = 'x'`, "(subject.`_p._key` = 'x')"],
  ["a map key named as our key", `${ends}, (n {_key: 'x'})`, "(n:_P__00000000 {`_p._key`: 'x'})"],
  [
    "a field of relationships that is ours",
    "MATCH (subject)-[r]-(resource) WHERE r._create_time = 1",
    "r.`_p._create_time`",
  ],
  ["an unlabelled node in EXISTS", `${ends} WHERE EXISTS { (n) }`, "EXISTS { (n:_P__00000000) }"],
  ["an unlabelled node in COUNT", `${ends} WHERE COUNT { MATCH () } > 0`, "COUNT { MATCH (:_P__00000000) }"],
  ["an unlabelled node in a predicate", `${ends} WHERE (subject)--()`, "(subject)--(:_P__00000000)"],
  [
    "an unlabelled node in a comprehension",
    `${ends} WHERE [()--() | 1] = []`,
    "[(:_P__00000000)--(:_P__00000000) | 1]",
  ],
  [
    "an unlabelled node in a WHERE inside of a pattern",
    "MATCH (subject WHERE EXISTS { (x) })-->(resource)",
    "EXISTS { (x:_P__00000000) }",
  ],
  [
    "an unlabelled node in a property map",
    "MATCH (subject {a: COUNT { (x) }})-->(resource)",
    "{a: COUNT { (x:_P__00000000) }}",
  ],
  [
    "an unlabelled node in ORDER BY",
    `${ends} WITH * ORDER BY COUNT { (x) }`,
    "ORDER BY COUNT { (x:_P__00000000) }",
  ],
  [
    "a bound name in a body that does not import it",
    `${ends} CALL { MATCH (x) RETURN count(x) AS n } WITH *`,
    "MATCH (x:_P__00000000)",
  ],
  [
    "a name that a WITH has dropped",
    `${ends} MATCH (x:Ward) WITH subject, resource MATCH (x)`,
    " MATCH (x:_P__00000000)",
  ],
  [
    "a name of an enclosing list",
    `${ends} WHERE any(x IN [1] WHERE EXISTS { (y) })`,
    "EXISTS { (y:_P__00000000) }",
  ],
];

const refused: readonly (readonly [string, string, string])[] = [
  [
    "a back-quoted alias with back-quotes",
    "MATCH (`a``b`)-->(subject), (resource)",
    "is not a name for an alias",
  ],
  ["an interpolated string", `${ends} WHERE subject.property.a = s'{x}'`, `unexpected "'{x}'"`],
  ["leading zeros", `${ends} WHERE subject.property.a = 007`, "no leading zeros"],
  ["a Unicode dash", "MATCH (subject)\u2014\u2014>(resource)", "only ASCII"],
  ["a Unicode angle", "MATCH (subject)--\u27e9(resource)", "only ASCII"],
  ["a Unicode blank", "MATCH\u00a0(subject), (resource)", "only ASCII"],
  ["a byte order mark", `\ufeff${ends}`, "only ASCII"],
  ["a Unicode letter in a keyword", "MATCH (\u017fubject), (resource)", "only ASCII"],
  ["an escape in a comment", `${ends} // \\u000a CREATE (x)`, 'escape "\\u"'],
  ["an escape in a block comment", `${ends} /* \\u002a\\u002f CREATE (x) */`, 'escape "\\u"'],
  ["an escape in a string", `${ends} WHERE subject.property.a = '\\u0027'`, 'escape "\\u"'],
  ["an escape after a backslash", `${ends} WHERE subject.property.a = '\\\\u0027'`, 'escape "\\u"'],
  ["an escape in a name", "MATCH (`\\u0060`), (subject), (resource)", 'escape "\\u"'],
  ["a long escape in a name", "MATCH (subject)-[:`\\U00000060`]->(resource)", 'escape "\\U"'],
  ["an escape in a keyword", "\\u004dATCH (subject), (resource)", 'escape "\\u"'],
  [
    "an escape put together by a long one",
    `${ends} WHERE subject.property.a = '\\U0000005cu0027'`,
    'escape "\\u"',
  ],
  ["a comment in a comment", `${ends} /* /* */ CREATE (x) */`, "[CREATE]"],
  [
    "USE in back-quotes as a clause",
    "`USE` graph.byName('a.b') MATCH (subject), (resource)",
    'unexpected "`USE`"',
  ],
  ["USE of a database", `USE neo4j ${ends}`, "USE takes graph.byName and nothing else"],
  ["USE of an expression", `USE graph.byName('a' + $b) ${ends}`, "graph.byName argument"],
  [
    "USE in a body",
    `${ends} CALL { USE neo4j MATCH (x) RETURN x } WITH *`,
    "USE takes graph.byName and nothing else",
  ],
  ["our key as a field", `${ends} WHERE subject._key = 'x'`, "unknown field"],
  ["our key in back-quotes", `${ends} WHERE subject.\`_key\` = 'x'`, "unknown field"],
  ["our key as a subscript", `${ends} WHERE subject['_key'] = 'x'`, "a subscript reads no property"],
  ["a subscript that the caller chooses", `${ends} WHERE subject[$k] = 'x'`, "a subscript reads no property"],
  [
    "a subscript of a node of a path",
    `MATCH p = (subject)--(resource) WHERE nodes(p)[0]['_key'] = 'x'`,
    "a subscript reads",
  ],
  ["our key of an end", `MATCH (subject)-[r]-(resource) WHERE endNode(r)._key = 'x'`, "unknown field"],
  ["our key of a node in a list", `${ends} WITH *, [subject][0] AS z WHERE z._key = 'x'`, "unknown field"],
  [
    "our key of a node in a map",
    `${ends} WITH *, {a: subject} AS m WHERE m.a._key = 'x'`,
    "by WITH before its properties",
  ],
  [
    "our key of a collected node",
    `${ends} WITH subject, resource, collect(subject) AS z WHERE z[0]._key = 'x'`,
    "",
  ],
  ["our key of one of two", `${ends} WHERE coalesce(subject, resource)._key = 'x'`, "unknown field"],
  [
    "our key of a node in reduce",
    `${ends} WITH *, reduce(a = subject, x IN [1] | a) AS z WHERE z._key = 'x'`,
    "may be a node",
  ],
  ["our key of an unwound node", `${ends} UNWIND [subject] AS z WITH * WHERE z._key = 'x'`, "unknown field"],
  ["our row", `${ends} WHERE $__row.s = 'x'`, "is reserved"],
  ["our rows", `UNWIND $__rows AS x ${ends}`, "is reserved"],
  ["a name like our row", `${ends}, (__row)`, "is reserved"],
  ["a value named as our row", `${ends} WITH *, 1 AS __row`, "is reserved"],
  ["our label", `${ends}, (x:_Node)`, "is not a node type"],
  ["the label of the projects", `${ends}, (x:_P__00000000)`, "is not a node type"],
  ["the label of our records", `${ends}, (x:_Record)`, "is not a node type"],
  ["a dynamic label", "MATCH (subject:$('Nurse')), (resource)", "dynamic labels are not allowed"],
  ["a dynamic type", "MATCH (subject)-[:$x]->(resource)", "dynamic labels are not allowed"],
  ["a map projection", `${ends} WHERE subject {.*} = {}`, "map projections are not allowed"],
  ["all properties", `${ends} WHERE properties(subject) = {}`, "function properties is not allowed"],
  ["all keys", `${ends} WHERE 'x' IN keys(subject)`, "function keys is not allowed"],
  ["all labels", `${ends} WHERE labels(subject) = []`, "function labels is not allowed"],
  [
    "a whole body as a list",
    `${ends} WHERE COLLECT { MATCH (x) RETURN x } = []`,
    "COLLECT { } is not allowed",
  ],
  [
    "a shortest path",
    `${ends} WHERE shortestPath((subject)-[*]-(resource)) IS NOT NULL`,
    "shortest paths are not allowed",
  ],
  ["a path selector", "MATCH ANY SHORTEST (subject)-[*]-(resource)", "shortest paths are not allowed"],
  [
    "a quantified group",
    "MATCH ((subject)-->(x)){1,3}, (resource)",
    "quantified path patterns are not allowed",
  ],
  ["a quantified relationship", "MATCH (subject)-->+(resource)", "quantified path patterns are not allowed"],
  ["properties of a pattern as a parameter", "MATCH (subject $p), (resource)", "property map"],
  ["a procedure", `${ends} CALL db.labels()`, "[CALL]"],
  ["batches", `${ends} CALL { MATCH (x) RETURN x } IN TRANSACTIONS WITH *`, "[CALL]"],
  ["a write in a body", `${ends} CALL { CREATE (x) RETURN x } WITH *`, "[CREATE]"],
  ["a write in an EXISTS", `${ends} WHERE EXISTS { CREATE (x) }`, "[CREATE]"],
  [
    "a write in a nested body",
    `${ends} CALL { CALL { MATCH (x) DETACH DELETE x RETURN 1 AS y } RETURN y } WITH *`,
    "DELETE]",
  ],
  ["a write in FOREACH", `${ends} FOREACH (x IN [1] | SET subject.a = 1)`, "[FOREACH"],
  ["a second statement", `${ends}; MATCH (x) DELETE x`, '";" is not allowed'],
  ["a union", `${ends} RETURN 1 UNION MATCH (n) RETURN n`, "UNION is not allowed"],
  ["another language", `CYPHER 25 ${ends}`, "CYPHER is not allowed"],
  [
    "ends that change places",
    `${ends} WITH subject AS resource, resource AS subject`,
    "cannot be bound again",
  ],
  ["an end that is another node", "MATCH (x) WITH x AS subject MATCH (resource)", "cannot be bound again"],
  ["an end that is a value", "UNWIND [1] AS subject MATCH (resource)", "subject"],
  ["an end of another type", "MATCH (subject:Other), (resource)", 'the label of "subject" must be Nurse'],
  ["ends that are optional", "OPTIONAL MATCH (subject)-->(resource)", "not by an OPTIONAL MATCH"],
  ["too deep brackets", `${ends} WHERE ${"(".repeat(200)}true${")".repeat(200)}`, "nesting deeper than"],
  ["too many operators", `${ends} WHERE ${"1 + ".repeat(500)}1 > 0`, "nested or"],
];

describe("texts that break guards which only look", () => {
  it.each(taken)("%s is guarded", (_name, cypher, printed) => {
    const policy = compile(cypher);
    if (!policy.ok) throw new Error(policy.faults.join("\n"));
    const statements = trialStatements(policy.value);
    for (const statement of statements) {
      expect(statement.replaceAll("\n", " ")).toContain(printed);
      expect(dangersOf(statement, "00000000")).toEqual([]);
    }
  });

  it.each(refused)("%s is refused", (_name, cypher, reason) => {
    const policy = compile(cypher);
    expect(policy.ok ? "accepted" : policy.faults.join("\n")).toContain(reason);
    expect(policy.ok).toBe(false);
  });
});
