import { describe, expect, it } from "@jest/globals";
import { compileKbac } from "./compile.ts";

const policy = (
  changes: Record<string, unknown> = {},
  cypher = "MATCH (subject:Nurse)-[:SIGNED]->(resource:Chart)",
) => ({
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Nurse" },
  actions: ["SIGN"],
  resource: { type: "Chart" },
  condition: { cypher },
  ...changes,
});

const faultsOf = (json: unknown): readonly string[] => {
  const checked = compileKbac(typeof json === "string" ? json : JSON.stringify(json));
  return checked.ok ? [] : checked.faults;
};

const cypherFaults = (cypher: string): string => faultsOf(policy({}, cypher)).join("\n");

describe("JSON of a KBAC policy", () => {
  it("accepts the three parts and an optional filter", () => {
    expect(faultsOf(policy())).toEqual([]);
    expect(compileKbac(JSON.stringify(policy()))).toMatchObject({
      ok: true,
      value: {
        kind: "kbac",
        version: "2.0-kbac",
        subjectType: "Nurse",
        actions: ["SIGN"],
        resourceType: "Chart",
      },
    });
  });

  it.each([
    ["{", "policy: not valid JSON"],
    ["[]", "policy: object expected"],
    ['{"actions": ["READ"], "actions": ["SIGN"]}', "policy.actions: given more than once"],
    [`{"meta": ${"[".repeat(32)}${"]".repeat(32)}, "meta": {}}`, "policy: nested deeper than 32 levels"],
    [policy({ meta: {} }), "policy.meta.policy_version: required"],
    [
      policy({ meta: { policyVersion: "2.0-kbac" } }),
      'policy.meta.policyVersion: write "policy_version": "2.0-kbac"; the rest stays',
    ],
    [policy({ meta: { policy_version: "1.0-kbac" } }), "policy.meta.policy_version: one of"],
    [policy({ meta: { policy_version: "1.0-ciq" } }), "policy.actions: unknown key"],
    [policy({ actions: [] }), "policy.actions: must list 1 to 5 actions"],
    [policy({ actions: ["AA", "AA"] }), 'policy.actions: the action "AA" is listed twice'],
    [policy({ actions: ["A B"] }), "policy.actions[0]: 2-64 letters"],
    [policy({ subject: { type: "A" } }), "policy.subject.type: 2-64"],
    [policy({ subject: { type: ["Nurse"] } }), "policy.subject.type: string expected"],
    [policy({ resource: undefined }), "policy.resource: required"],
    [policy({ condition: {} }), "policy.condition.cypher: required"],
    [policy({ extra: 1 }), "policy.extra: unknown key"],
    [policy({ allowed_reads: {} }), "policy.allowed_reads: unknown key"],
  ])("refuses %j", (json, reason) => {
    expect(faultsOf(json).join("\n")).toContain(reason);
  });

  it("reports the faults of a stage together", () => {
    expect(faultsOf(policy({ actions: [], subject: {}, resource: { type: 1 } })).length).toBe(3);
  });

  it("is not misled by inherited names", () => {
    expect(faultsOf('{"__proto__": {"meta": {"policy_version": "2.0-kbac"}}}')).toEqual([
      "policy.meta: required",
    ]);
  });
});

describe("bindings of a condition", () => {
  it.each([
    "MATCH (subject)-[:HAS]->(t:Ticket)-[:FOR]->(resource)",
    "MATCH (subject:Nurse), (resource:Chart) WHERE resource.property.risk <= $max",
    "MATCH (subject:Nurse) WITH subject MATCH (resource:Chart)",
    "MATCH (subject:Nurse)-[:ON]->(w:Ward) WITH subject, count(w) AS n MATCH (resource:Chart) WHERE n > 1",
    "MATCH (subject:Nurse&Employee)-[r]-(resource)WHERE r.since > 3",
    "MATCH (subject) OPTIONAL MATCH (subject)-[:ON]->(w) MATCH (w)-[:HOLDS]->(resource)",
    "MATCH (subject)-[rels:NEXT*]->(resource) WHERE ALL(r IN rels WHERE r.ok AND endNode(r).property.open)",
    "MATCH (match:Ward)-[:X]-(subject), (match)--(resource)",
    "MATCH (constructor:Ward)-[:X]-(subject), (toString)--(resource) WHERE constructor.property.valueOf = toString.property.a",
    "MATCH (subject)-[:A]->(property:Ward)-[:B]->(resource) WHERE property.property.city = 'Oslo'",
    "MATCH (subject), (resource) WHERE EXISTS { (subject)-[:A]->(x:Ward) WHERE x.property.name = $ward }",
    "MATCH (subject), (resource) WHERE size([(subject)-[:A]->(x) | x.external_id]) > $request.context.floor",
    "MATCH (subject), (resource) WHERE EXISTS { MATCH (subject)-->(x) RETURN *, resource, [y IN [1] | y] AS ys, x.a AS a ORDER BY a }",
    "MATCH (subject), (resource) WHERE resource.external_id = $resource_external_id",
    "MATCH (subject), (resource) WHERE $order['a'].b = 1 AND $list[0] = 2 AND $token.roles[0] = 'x'",
    "MATCH (subject), (resource) WHERE resource.property.tags[0] = 'x' AND {a: 1}.a = 1 AND [[1]][0][0] = 1",
    "MATCH (subject), (resource) WITH subject, resource, [subject, resource] AS ends WHERE ends[0].property.a = 1",
    "MATCH (subject), (resource) WITH subject, resource, {end: subject} AS m WITH subject, resource, m.end AS e WHERE e.property.a = 1",
    "MATCH (subject), (resource) WITH subject, resource, head(collect(resource)) AS first MATCH (first)-->(x) WHERE x.external_id = 'a'",
    "MATCH (subject), (resource) WHERE subject.property.seen.metadata.source = 'hr' AND subject.trust_score._origin > 0.5",
  ])("accepts %s", (cypher) => {
    expect(cypherFaults(cypher)).toBe("");
  });

  it.each([
    ["MATCH (p:Nurse)-[:OWNS]->(c:Chart)", '"subject" must be bound as a node'],
    ["MATCH (subject) OPTIONAL MATCH (subject)-[:ON]->(resource)", '"resource" must be bound by a MATCH'],
    ["MATCH (subject:Doctor)-[:ON]->(resource)", 'the label of "subject" must be Nurse'],
    ["MATCH (subject:Nurse|Doctor)-[:ON]->(resource)", 'the label of "subject" must be Nurse'],
    ["MATCH (subject)-[resource:ON]->(x)", '"resource" names a node and may be used for nothing else'],
    ["MATCH (subject)-[:ON]->(resource) WITH resource", "missing required variables in WITH statement"],
    [
      "MATCH (subject)-[:ON]->(resource) WITH subject AS resource, resource AS subject",
      "cannot be bound again",
    ],
    ["MATCH (subject)-[:ON]->(resource) WHERE x.property.a = 1", '"x" is not bound'],
    [
      "MATCH (subject), (resource) WHERE EXISTS { MATCH (subject)-->(x) RETURN x, nosuch.y }",
      '"nosuch" is not bound (line 1, column 76)',
    ],
    [
      "MATCH (subject), (resource) WHERE COUNT { MATCH (subject)-->(x) RETURN x ORDER BY nosuch.y } > 1",
      '"nosuch" is not bound',
    ],
    [
      "MATCH (subject), (resource) WHERE EXISTS { MATCH (subject)-->(x) WITH 1 AS one RETURN x }",
      '"x" is not bound',
    ],
    [
      "MATCH (subject)-[:ON]->(resource) WHERE resource.risk = 1",
      "a property is written resource.property.risk",
    ],
    [
      "MATCH (subject)-[r:ON]->(resource) WHERE r.property.since = 1",
      "a relationship property is written r.since",
    ],
    ["MATCH (subject)-[:ON]->(resource) WHERE $subject_id = 1", 'parameter "$subject_id" is reserved'],
    ["MATCH (subject)-[:ON]->(resource) WHERE $_x = 1", 'parameter "$_x" is reserved'],
    ["MATCH (subject)-[:ON]->(resource) WHERE $token = 1", "$token needs a claim"],
    ["MATCH (subject)-[:ON]->(resource) WHERE $request.subject.id = 1", "$request is read by"],
    ["MATCH (subject)-[:ON]->(resource {`a b`: 1})", "not a property name"],
    ["MATCH (subject)-[:ON]->(resource) WHERE subject.`external_id.x` = 1", "is not a property name"],
    ["MATCH (subject)-[:ON]->(resource)-[:X]->(__y)", 'the name "__y" is reserved'],
    ["MATCH (subject)-[:ON]->(resource)-[:X]->(`a b`)", "is not a name for an alias"],
    [
      "MATCH (subject)-[:HAS]->(p:Property)-[:X]->(resource)",
      "write x.property.<name> instead of a :Property node",
    ],
    ["MATCH (subject)-[:ON]->(resource)--(x:_Node)", '"_Node" is not a node type'],
    ["MATCH (subject)-[:ON]->(resource)--(x:_Record)", '"_Record" is not a node type'],
    ["MATCH (subject)-[:_PART_OF]->(resource)", '"_PART_OF" is not a relationship type'],
    ["MATCH (subject)-[r:ON]->(resource) MATCH (subject)-[r]->(x)", '"r" is bound already'],
    ["MATCH (subject)-[:ON]->(resource) WHERE (subject)-->(y)", "a pattern in an expression binds nothing"],
    ["MATCH (subject)-[:ON]->(resource) WHERE subject:_Node", '"_Node" is not a node type'],
    ["MATCH (subject)-[:ON]->(resource) UNWIND [1] AS subject", '"subject" is bound already'],
    ["MATCH p = (subject)-[:ON]->(resource) WHERE p.x = 1", "a path has no property"],
    ["MATCH (subject), (resource) WHERE subject['name'] = 1", "a subscript reads no property"],
    ["MATCH (subject), (resource) WHERE subject[$key] = 1", "a subscript reads no property"],
    ["MATCH (subject), (resource) WHERE head([subject])[$key] = 1", "a subscript reads no property"],
    ["MATCH (subject), (resource) WHERE [subject, 1][0][$key] = 1", "a subscript reads no property"],
    ["MATCH (subject), (resource) WHERE {a: subject}.a[$key] = 1", "a subscript reads no property"],
    ["MATCH (subject), (resource) WHERE {a: subject}['a'][$key] = 1", "a subscript reads no property"],
    ["MATCH (subject), (resource) WHERE {a: subject}[$a][$key] = 1", "a subscript reads no property"],
    ["MATCH (subject), (resource) WHERE coalesce(subject, 1)[$key] = 1", "a subscript reads no property"],
    [
      "MATCH (subject), (resource) WHERE CASE WHEN true THEN subject ELSE 1 END[$key] = 1",
      "a subscript reads no property",
    ],
    ["MATCH (subject), (resource) WHERE ([1] + subject)[1][$key] = 1", "a subscript reads no property"],
    ["MATCH (subject), (resource) WHERE ($l + subject)[1][$key] = 1", "a subscript reads no property"],
    [
      "MATCH (subject), (resource) WHERE reduce(a = 1, x IN [subject] | x)[$key] = 1",
      "a subscript reads no property",
    ],
    [
      "MATCH (subject), (resource) WHERE [x IN [1, subject] | x][1].name = 1",
      "a value that may be a node has no property",
    ],
    ["MATCH (subject), (resource) WHERE {a: subject}.a.name = 1", "name the node or relationship"],
    [
      "MATCH (subject), (resource) UNWIND [subject, 1] AS x WITH subject, resource, x WHERE x[$key] = 1",
      "a subscript reads no property",
    ],
    ["MATCH (subject)-[r]-(resource) WHERE startNode(r)[$key] = r[$key]", "a subscript reads no property"],
    [
      "MATCH (subject), (resource) WITH subject, resource, collect({n: subject}) AS l WHERE l[0].n[$key] = 1",
      "a subscript reads no property",
    ],
    [
      "MATCH (subject), (resource) WITH subject, resource, max(subject) AS m WHERE m.name = 1",
      "a value that may be a node",
    ],
    [
      "MATCH (subject), (resource) WHERE resource.property.code =~ '(a'",
      "not an accepted regular expression",
    ],
    [
      "MATCH (subject), (resource) WHERE resource.property.code =~ '(a|b|ab)*'",
      "the next character must decide",
    ],
    ["MATCH (subject), (resource) WHERE 'a' =~ resource.property.code", "the right side of =~ is a text"],
    ["MATCH (subject), (resource) WHERE 'a' =~ ('b' + $x)", "the right side of =~ is a text"],
    [
      "MATCH (subject:Nurse) OPTIONAL MATCH (subject)-[:SIGNED]->(resource:Chart) MATCH (resource)",
      '"resource" must be bound by a MATCH, not by an OPTIONAL MATCH (line 1, column 23)',
    ],
    [
      "MATCH (resource) OPTIONAL MATCH (subject)-->(resource) WITH * MATCH (subject)",
      '"subject" must be bound by a MATCH, not by an OPTIONAL MATCH (line 1, column 18)',
    ],
    ["MATCH (subject), (resource) WHERE nullIf(resource, 1)['x'] = 1", "a subscript reads no property"],
    ["MATCH (subject), (resource) WHERE nullIf(resource, 1)._key = 'x'", "_key"],
    [
      "MATCH (subject), (resource) WHERE reduce(a = null, i IN [1] | CASE WHEN i = 1 THEN resource ELSE a.x END) IS NULL",
      "reduce returns a node or relationship only if its initial value is one",
    ],
    [
      "MATCH (resource:Chart) WHERE EXISTS { (resource)<-[subject:HOLDS]-() } MATCH (subject)-->(resource)",
      '"subject" names a node and may be used for nothing else',
    ],
    [
      "MATCH (subject), (resource) WHERE any(subject IN [1] WHERE subject = 1)",
      "names a node and may be used for nothing else",
    ],
    [
      "MATCH (resource) WHERE EXISTS { MATCH subject = (resource)--() } MATCH (subject)",
      '"subject" names a node and may be used for nothing else',
    ],
  ])("refuses %s", (cypher, reason) => {
    expect(cypherFaults(cypher)).toContain(reason);
  });

  it("says where in the text", () => {
    expect(cypherFaults("MATCH (subject)-[:ON]->(resource)\nWHERE x = 1")).toContain("(line 2, column 7)");
  });

  it("refuses USE and CALL outside of 3.0-kbac", () => {
    const routed = { ...policy({}, "USE graph.byName($region) MATCH (subject)-[:ON]->(resource)") };
    expect(faultsOf(routed).join()).toContain("USE clause is not allowed");
    expect(cypherFaults("CALL () { MATCH (subject), (resource) RETURN subject, resource }")).toContain(
      "Cypher contains forbidden clauses: [CALL]",
    );
  });

  it("refuses an overlong text and keeps within the stack on deep ones", () => {
    expect(cypherFaults("M".repeat(20_001))).toContain("must have at most 20000 characters (has 20001)");
    expect(cypherFaults(`MATCH (subject)-->(resource)${"--()".repeat(150)}`)).toContain(
      "more than 100 clauses",
    );
    expect(cypherFaults(`MATCH (subject), (resource) WHERE ${"(".repeat(9_000)}1`)).not.toBe("");
    expect(cypherFaults(`MATCH (subject), (resource) WHERE ${"NOT ".repeat(4_000)}true`)).not.toBe("");
  });
});

describe("what a policy needs from a call", () => {
  const needed = (cypher: string, filter?: unknown): readonly string[] => {
    const checked = compileKbac(JSON.stringify(policy({ condition: { cypher, filter } })));
    if (!checked.ok) throw new Error(checked.faults.join("; "));
    return checked.value.needs.parameters;
  };

  it("is what the tree reads, not what the text shows", () => {
    const cypher =
      "MATCH (subject), (resource) WHERE resource.property.a = '$5' AND resource.property.b < $max // $no";
    expect(needed(cypher)).toEqual(["max"]);
  });

  it("leaves out what the platform fills", () => {
    const cypher =
      "MATCH (subject), (resource) WHERE $token.sub = subject.external_id AND $subject_type = 'Nurse' AND $request.context.x = 1";
    expect(needed(cypher, { operator: "=", attribute: "$channel", value: "web" })).toEqual(["channel"]);
  });

  it("counts an object parameter once, whatever its members", () => {
    expect(needed("MATCH (subject), (resource) WHERE $order.a = 1 AND $order.b = 2")).toEqual(["order"]);
  });
});

describe("what can be decided in a batch", () => {
  const match = "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[:HOLDS]->(resource:Chart) WITH subject, resource, ";

  it.each([
    ["collect($p) AS ps", false],
    ["count(w) AS ws, $p AS p", false],
    ["count(w) + $p AS ws", true],
    ["size([x IN collect(w) WHERE x.property.name = $p]) AS ws", true],
    ["coalesce(max(w.property.beds), $p) AS ws", true],
    ["toInteger(count(w) * $p) AS ws", true],
  ])("%s, not batchable: %s", (items, notBatchable) => {
    const checked = compileKbac(JSON.stringify(policy({}, match + items)));
    if (!checked.ok) throw new Error(checked.faults.join("; "));
    expect(checked.value.condition.analysis.report.notBatchable).toBe(notBatchable);
  });

  it("looks no further at a text of too many parts", () => {
    const cypher =
      "MATCH (subject), (resource)" + Array.from({ length: 900 }, (_, n) => ` WITH *, 1 AS a${n}`).join("");
    // The quickest of a few: other processes have the processors now and then.
    const times = Array.from({ length: 5 }, () => {
      const started = performance.now();
      const checked = compileKbac(JSON.stringify(policy({}, cypher)));
      expect(checked.ok ? [] : checked.faults).toEqual([
        "policy.condition.cypher: more than 100 clauses, nodes and relationships",
      ]);
      return performance.now() - started;
    });
    expect(Math.min(...times)).toBeLessThan(150);
  });
});
