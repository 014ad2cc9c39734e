import { describe, expect, it } from "@jest/globals";
import { mapTree, type Rewriter } from "../cypher/map.ts";
import type { Expression } from "../cypher/ast.ts";
import { parse } from "../cypher/parser.ts";
import { printTree } from "../cypher/printer.ts";
import { collectedOperands, withinCollected } from "./collected.ts";

const guarded = (text: string): string => {
  const parsed = parse(text, { use: true, call: true });
  if (!parsed.ok) throw new Error(`${text}: ${JSON.stringify(parsed.faults)}`);
  const { query } = parsed;
  const operands = collectedOperands(query);
  const hook = (node: Expression, inner: Rewriter): Expression | undefined =>
    operands.has(node) ? withinCollected(inner.rebuild(node)) : undefined;
  const hooks = { variable: hook, function: hook, slice: hook, "pattern-comprehension": hook };
  return printTree(mapTree(query, hooks));
};
const isGuarded = (text: string): boolean => guarded(text).includes("10000");

const collected = "MATCH (subject)-->(x), (resource) WITH subject, resource, collect(x.id) AS ids";

describe("a collected list", () => {
  it.each([
    `${collected} WITH ids AS kept`,
    `${collected} WITH subject, ids AS others WHERE size(others) > 3 WITH others AS kept`,
    `${collected} UNWIND ids AS id WITH id WHERE id <> 'a' WITH id AS kept`,
    `${collected} WHERE resource.id IN ids WITH subject AS kept`,
    `${collected} WHERE head(ids) = 'a' OR ids[0] = 'b' OR isEmpty(ids) WITH subject AS kept`,
    `${collected} WITH ids[..10] AS some`,
    `${collected} WHERE last(ids) = 'a' WITH count(ids) AS n`,
    `${collected} WITH [found IN [resource.id IN ids] | found] AS all`,
    `${collected} WITH reduce(found = resource.id IN ids, x IN ['a'] | found) AS found`,
    `${collected} WITH reduce(n = 0, found IN [resource.id IN ids] | n) AS n`,
    `${collected} WHERE ids IS NOT NULL WITH size(tail(ids)) AS n`,
    "MATCH (subject) WHERE size([(subject)-->(x) | x.id]) > 20000 WITH subject AS kept",
    "MATCH (subject) WHERE any(id IN ['a'] WHERE id = subject.id) WITH subject AS kept",
    "MATCH (subject)-->(g:Group), (resource) WHERE g.id = 'a' WITH subject, resource, collect(g) AS g WITH size(g) AS n WHERE n > 1",
    `${collected} WITH subject, size(ids) AS ids WHERE ids > 3 AND ids + 1 > 4`,
    `${collected} WHERE any(ids IN ['a'] WHERE ids + 'x' = subject.id)`,
    `${collected} UNWIND ids AS ids WITH subject, ids WHERE ids + 'x' = 'ax'`,
  ])("is left as it is where only a part of it is looked at: %s", (text) => {
    expect(isGuarded(text)).toBe(false);
  });

  it.each([
    `${collected} WHERE any(id IN ids WHERE id = 'a') WITH subject AS kept`,
    `${collected} WITH ids AS others WHERE none(id IN others WHERE id = 'a') WITH others AS kept`,
    `${collected} WITH ids AS others WITH others AS last WHERE size([id IN last | id + 'x']) > 1 WITH last AS kept`,
    `${collected} WITH reduce(n = 0, id IN ids[1..] | n + size(id)) AS n`,
    `${collected} WITH ids + ['a'] AS more`,
    `${collected} WHERE any(a IN ['b', 'c'] WHERE a IN ids) WITH subject AS kept`,
    `${collected} WHERE any(id IN tail(ids) WHERE id = 'a') WITH subject AS kept`,
    `${collected} WITH reverse(ids) AS back`,
    `${collected} UNWIND [id IN ids | id + 'x'] AS id WITH id WHERE id <> 'a' WITH id AS kept`,
    `${collected} WITH [x IN ['b', 'c'] WHERE x IN ids | x] AS both`,
    `${collected} WITH reduce(n = 0, x IN ['b', 'c'] | CASE WHEN x IN ids THEN n + 1 ELSE n END) AS n`,
    `${collected} WHERE ids IN [['a']] WITH subject AS kept`,
    `${collected} WHERE ['a'] = ids WITH subject AS kept`,
    `${collected} WITH * WHERE EXISTS { MATCH (y)-->(z) WITH y, collect(z.id) AS own WHERE any(o IN own WHERE o = 'a') }`,
    `${collected} WHERE ids = ['a'] WITH subject AS kept`,
    "MATCH (subject)-->(x) WITH subject, [id IN collect(x.id) | id + 'x'] AS ids WITH ids AS kept",
    "MATCH (subject) WHERE any(id IN [(subject)-->(x) | x.id] WHERE id = 'a') WITH subject AS kept",
    `${collected} CALL { WITH ids RETURN ids AS inner } WITH inner WHERE all(i IN inner WHERE i = 'a') WITH inner AS kept`,
    `${collected} WHERE 'a' IN ids OR 'b' IN ids WITH subject AS kept`,
    "MATCH (subject)-->(g:Group), (resource) WITH subject, resource, collect(g.id) AS g WHERE any(id IN g WHERE id = 'a')",
    `${collected} WITH * WHERE EXISTS { MATCH (y) WHERE any(id IN ids WHERE id = y.id) }`,
  ])("is held to the length that bounds count with, where it is gone through: %s", (text) => {
    expect(isGuarded(text)).toBe(true);
  });

  it("is named once where reading it again would cost something", () => {
    expect(guarded("MATCH (n) WHERE any(id IN [(n)-->(x) | x.id] WHERE id = 'a') WITH n AS kept")).toContain(
      "head([__list IN [[(n)-->(x) | x.id]] | CASE WHEN (size(__list) > 10000) THEN [(size(__list) / 0)] ELSE __list END])",
    );
    expect(guarded(`${collected} WHERE any(id IN ids WHERE id = 'a') WITH subject AS kept`)).toContain(
      "any(id IN CASE WHEN (size(ids) > 10000) THEN [(size(ids) / 0)] ELSE ids END WHERE (id = 'a'))",
    );
  });
});
