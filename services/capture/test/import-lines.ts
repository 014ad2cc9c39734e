/** A line that writes a person. */
export const person = (id: string | number, ...properties: readonly (readonly [string, unknown])[]) => ({
  node: {
    external_id: String(id),
    type: "Person",
    properties: properties.map(([type, value]) => ({ type, value })),
  },
});

/** A line that writes that one person knows another. */
export const knows = (a: string | number, b: string | number, type = "KNOWS") => ({
  relationship: {
    source: { external_id: String(a), type: "Person" },
    target: { external_id: String(b), type: "Person" },
    type,
  },
});

/** The text of lines; a string stands for itself. */
export const linesOf = (lines: readonly unknown[]): string =>
  lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
