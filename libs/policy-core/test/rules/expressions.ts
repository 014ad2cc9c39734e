import type { BinaryOperator, ComparisonOperator } from "../../src/cypher/ast.ts";
import { versions, type Version } from "./versions.ts";

/** A call of every allowed function; aggregates stand in a WITH. */
export const functionCalls: Readonly<Record<string, string>> = {
  count: "count(x)",
  collect: "collect(x.external_id)",
  sum: "sum(x.property.a)",
  avg: "avg(x.property.a)",
  min: "min(x.property.a)",
  max: "max(x.property.a)",
  stDev: "stDev(x.property.a)",
  stDevP: "stDevP(x.property.a)",
  percentileCont: "percentileCont(x.property.a, 0.5)",
  percentileDisc: "percentileDisc(x.property.a, 0.5)",
  size: "size([1])",
  head: "head([1])",
  tail: "tail([1])",
  last: "last([1])",
  coalesce: "coalesce(x.property.a, 1, 2)",
  nullIf: "nullIf(x.property.a, 1)",
  reverse: "reverse([1])",
  type: "type(r)",
  startNode: "startNode(r).external_id",
  endNode: "endNode(r).external_id",
  nodes: "size(nodes(p))",
  relationships: "size(relationships(p))",
  length: "length(p)",
  toLower: "toLower('a')",
  toUpper: "toUpper('a')",
  trim: "trim('a')",
  lTrim: "lTrim('a')",
  rTrim: "rTrim('a')",
  split: "split('a', ',')",
  substring: "substring('abc', 0, 1)",
  replace: "replace('a', 'a', 'b')",
  left: "left('abc', 1)",
  right: "right('abc', 1)",
  toString: "toString(1)",
  abs: "abs(-1)",
  ceil: "ceil(1.5)",
  floor: "floor(1.5)",
  round: "round(1.55, 1)",
  sign: "sign(-1)",
  sqrt: "sqrt(4)",
  toInteger: "toInteger('1')",
  toFloat: "toFloat('1')",
  toBoolean: "toBoolean('true')",
  toIntegerOrNull: "toIntegerOrNull([])",
  toFloatOrNull: "toFloatOrNull([])",
  toBooleanOrNull: "toBooleanOrNull([])",
  date: "date('2026-01-01')",
  datetime: "datetime()",
  localdatetime: "localdatetime()",
  time: "time()",
  duration: "duration('P1D')",
  "duration.between": "duration.between(date('2026-01-01'), date('2026-01-02'))",
  isEmpty: "isEmpty('')",
};

export const aggregates: ReadonlySet<string> = new Set([
  ...["count", "collect", "sum", "avg", "min", "max", "stDev", "stDevP", "percentileCont", "percentileDisc"],
]);

/** `reduce`, `all`, `any`, `none` and `single` have a syntax of their own and are in constructs.ts. */
export const functionCases: readonly (readonly [string, Version, string])[] = Object.entries(
  functionCalls,
).flatMap(([name, call]) =>
  versions.map((version) => {
    const value = aggregates.has(name) ? call : `${call} AS v`;
    const cypher = aggregates.has(name)
      ? `MATCH (subject), (resource), (x) WITH subject, resource, ${call} AS v`
      : `MATCH p = (subject)-[r]->(resource), (x) WITH *, ${value}`;
    return [name, version, cypher] as const;
  }),
);

/** Functions and forms that hand out values which no allow-list saw, or reach outside. */
const refused: readonly (readonly [string, string])[] = [
  ["id", "id(subject)"],
  ["elementId", "elementId(subject)"],
  ["properties", "properties(subject)"],
  ["keys", "keys(subject)"],
  ["labels", "labels(subject)"],
  ["rand", "rand()"],
  ["randomUUID", "randomUUID()"],
  ["timestamp", "timestamp()"],
  ["range", "range(1, 1000000000)"],
  ["point", "point({x: 1, y: 2})"],
  ["exists", "exists(subject.property.a)"],
  ["apoc.text.join", "apoc.text.join(['a'], '')"],
  ["db.nameFromElementId", "db.nameFromElementId('a')"],
  ["dbms.info", "dbms.info()"],
  ["file", "file()"],
  ["linenumber", "linenumber()"],
  ["graph.names", "graph.names()"],
  ["graph.byElementId", "graph.byElementId('a')"],
  ["vector.similarity.cosine", "vector.similarity.cosine([1.0], [1.0])"],
];

export const refusedFunctionCases: readonly (readonly [string, Version, string])[] = refused.flatMap(
  ([name, call]) =>
    versions.map((version) => [name, version, `MATCH (subject), (resource) WHERE ${call} = 1`] as const),
);

/** A predicate for every operator of a condition. */
export const operatorPredicates: Readonly<Record<BinaryOperator | ComparisonOperator, string>> = {
  OR: "resource.property.a = 1 OR resource.property.b = 1",
  XOR: "resource.property.a = 1 XOR resource.property.b = 1",
  AND: "resource.property.a = 1 AND resource.property.b = 1",
  "=~": "resource.property.title =~ 'M.*'",
  "STARTS WITH": "resource.property.title STARTS WITH 'M'",
  "ENDS WITH": "resource.property.title ENDS WITH 's'",
  CONTAINS: "resource.property.title CONTAINS 'tropol'",
  IN: "resource.property.year IN [1926, 1927]",
  "+": "resource.property.reels + 1 = 2",
  "-": "resource.property.reels - 1 = 2",
  "||": "resource.property.title || '!' = 'M!'",
  "*": "resource.property.reels * 2 = 4",
  "/": "resource.property.reels / 2 = 1",
  "%": "resource.property.reels % 2 = 0",
  "^": "resource.property.reels ^ 2 = 4.0",
  "=": "resource.property.year = 1927",
  "<>": "resource.property.year <> 1927",
  "<": "resource.property.year < 1927",
  "<=": "resource.property.year <= 1927",
  ">": "resource.property.year > 1927",
  ">=": "resource.property.year >= 1927",
};

export const operatorCases: readonly (readonly [string, Version, string])[] = Object.entries(
  operatorPredicates,
).flatMap(([operator, predicate]) =>
  versions.map((version) => [operator, version, `MATCH (subject), (resource) WHERE ${predicate}`] as const),
);

/** Forms of patterns and paths, each in every version. */
const forms: Readonly<Record<string, string>> = {
  "system fields":
    "MATCH (subject), (resource) WHERE subject.external_id <> resource.id AND resource.type = 'Film'",
  "a property by .property.": "MATCH (subject), (resource) WHERE resource.property.title = 'Metropolis'",
  "a property by .property. and .value":
    "MATCH (subject), (resource) WHERE resource.property.title.value = 'M'",
  metadata: "MATCH (subject), (resource) WHERE resource.property.title.metadata.source = 'register'",
  "a trust score": "MATCH (subject), (resource) WHERE resource.trust_score._final_score > 0.5",
  "an inline map":
    "MATCH (subject {external_id: $token.sub})-[:KEEPS {since: 2020}]->(resource {year: 1927})",
  "an inline WHERE": "MATCH (subject WHERE subject.property.a = 1)-[r WHERE r.since > 2020]->(resource)",
  "a path on a loop variable":
    "MATCH (subject)-[rels*..3]->(resource) WHERE all(r IN rels WHERE r.since > 2000)",
  "a path on a function result":
    "MATCH (subject)-[r]->(resource) WHERE endNode(r).external_id = startNode(r).property.a",
  "a label test": "MATCH (subject)-[r]->(resource) WHERE endNode(r):Film AND subject:Archivist",
  "*": "MATCH (subject)-[*]->(resource)",
  "*n": "MATCH (subject)-[:NEXT*2]->(resource)",
  "*..m": "MATCH (subject)-[:NEXT*..2]->(resource)",
  "*n..m": "MATCH (subject)-[:NEXT*1..2]->(resource)",
  "*n..": "MATCH (subject)-[:NEXT*2..]->(resource)",
  ":A|B*..3": "MATCH (subject)-[:NEXT|KEEPS*..3]->(resource)",
  "--": "MATCH (subject)--(resource)",
  "-->": "MATCH (subject)-->(resource)",
  "<--": "MATCH (subject)<--(resource)",
  "-[r]-": "MATCH (subject)-[r]-(resource)",
  "an anonymous node": "MATCH (subject)-->()-->(resource)",
  "a named path": "MATCH p = (subject)-->(resource) WHERE length(p) = 1",
  "a label expression": "MATCH (subject)-->(x:(Reel|Vault)&!Film)-->(resource)",
  "no blank between clauses":
    "MATCH (subject)MATCH (subject)-->(resource)WHERE(subject)-->(resource)WITH*WHERE true",
};

export const formCases: readonly (readonly [string, Version, string])[] = Object.entries(forms).flatMap(
  ([form, cypher]) => versions.map((version) => [form, version, cypher] as const),
);
