/** Conditions of a few characters whose value is larger, or takes more steps, than a server has memory or time for. */

const steps = `[${Array.from({ length: 25 }, (_, at) => at).join(",")}]`;
const tens = "[0,1,2,3,4,5,6,7,8,9]";
const nested = (depth: number, text: string): string =>
  depth === 0 ? text : `replace(${nested(depth - 1, text)}, 'x', 'xxxxxxxxxxxxxxxx')`;
const within = (depth: number): string =>
  depth === 0 ? "true" : `all(v${depth} IN ${tens} WHERE ${within(depth - 1)})`;

/** What grows, and the condition. */
export const growth: readonly (readonly [string, string])[] = [
  ["text that doubles", `size(split(reduce(a = 'x,', i IN ${steps} | a + a), ',')) = 1`],
  ["a list that doubles", `size(reduce(a = ['x'], i IN ${steps} | a + a)) = 1`],
  ["a text of the call that doubles", `size(reduce(a = $text, i IN ${steps} | a + a)) = 1`],
  ["a property that doubles", `size(reduce(a = subject.property.text, i IN ${steps} | a + a)) = 1`],
  ["replacements in one another", `size(${nested(9, "'x'")}) = 1`],
  ["loops in one another", within(10)],
  [
    "lists in one another",
    `size([a IN ${tens} | [b IN ${tens} | [c IN ${tens} | [d IN ${tens} | [e IN ${tens} | [f IN ${tens} | [g IN ${tens} | [h IN ${tens} | 'x']]]]]]]]) = 1`,
  ],
];

/** A KBAC policy of the heavy tenant with such a condition. */
export const kbacBomb = (where: string) => ({
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["GROW"],
  resource: { type: "Item" },
  condition: { cypher: `MATCH (subject:Person), (resource:Item) WHERE ${where}` },
});

/** A CIQ policy of the heavy tenant with such a condition. */
export const ciqBomb = (where: string) => ({
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "_Application" },
  condition: { cypher: `MATCH (subject:_Application) MATCH (resource:Item) WHERE ${where}` },
  allowed_reads: { nodes: ["resource.external_id"] },
});
