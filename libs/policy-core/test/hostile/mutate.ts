import fc from "fast-check";
import { growing, names, pieces } from "./pieces.ts";
import { type Submission, positions } from "./positions.ts";

/** An accepted policy and queries under it. */
export interface Source {
  readonly policy: object;
  readonly queries: readonly object[];
}

/** A place in a text, as a share of it; how much is taken out there; what is put in. */
type Change = readonly [at: number, removed: number, added: string];

const changed = (text: string, changes: readonly Change[]): string =>
  changes.reduce((before, [at, removed, added]) => {
    const offset = Math.floor(at * (before.length + 1));
    return before.slice(0, offset) + added + before.slice(offset + removed);
  }, text);

const change: fc.Arbitrary<Change> = fc.tuple(
  fc.double({ min: 0, max: 0.999, noNaN: true }),
  fc.oneof(fc.constant(0), fc.nat({ max: 3 }), fc.nat({ max: 40 })),
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...pieces, ...names) },
    { weight: 2, arbitrary: fc.constantFrom(...growing) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 5 }) },
  ),
);
const changes = fc.array(change, { minLength: 1, maxLength: 4 });

/** Edits every string inside a JSON value, but not the names of members. */
const editStrings = (value: unknown, edit: (text: string) => string): unknown => {
  if (typeof value === "string") return edit(value);
  if (Array.isArray(value)) return value.map((each) => editStrings(each, edit));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, editStrings(part, edit)]));
};

/** Changes one string inside a JSON value, chosen by `turn`: what stays JSON gets deeper into the checks. */
const inside = (value: unknown, turn: number, edit: (text: string) => string): unknown => {
  let strings = 0;
  editStrings(value, (text) => {
    strings += 1;
    return text;
  });
  let left = turn % Math.max(1, strings);
  return editStrings(value, (text) => (left-- === 0 ? edit(text) : text));
};

const cypherOf = (policy: object): string =>
  (policy as { readonly condition?: { readonly cypher?: string } }).condition?.cypher ?? "";

const withCypher = (policy: object, cypher: string): object => ({
  ...policy,
  condition: { ...(policy as { readonly condition?: object }).condition, cypher },
});

/**
 * Texts with some characters changed: in the condition, in one string of the policy or query, or in the
 * JSON.
 */
export const mutations = (sources: readonly Source[]): fc.Arbitrary<Submission> =>
  fc
    .record({
      source: fc.constantFrom(...sources),
      how: fc.constantFrom("cypher", "cypher", "string", "string", "query", "raw" as const),
      changes,
      turn: fc.nat(),
    })
    .map(({ source, how, changes: made, turn }) => {
      const edit = (text: string): string => changed(text, made);
      const policy =
        how === "cypher"
          ? withCypher(source.policy, edit(cypherOf(source.policy)))
          : how === "string"
            ? inside(source.policy, turn, edit)
            : source.policy;
      const queries = source.queries.map((query) =>
        JSON.stringify(how === "query" ? inside(query, turn, edit) : query),
      );
      const text = JSON.stringify(policy);
      return how === "raw" ? { policy: edit(text), queries: queries.map(edit) } : { policy: text, queries };
    });

/**
 * Names of the sample policy that writes, and of its queries, that the hostile graph does not have: the
 * pattern matches without them.
 */
const writtenNames = ["Note", "SIGNED", "ABOUT", "state", "text", "draft", "shift", "note", "sig", "ab"];

const newName = fc.oneof(
  fc.constantFrom(...names, ...pieces),
  fc.string({ unit: fc.constantFrom(...Array.from("abzAZ09_")), minLength: 1, maxLength: 8 }),
);

/**
 * Texts in which names of what is written are replaced in a policy and its queries alike: many stay
 * accepted.
 */
export const renamings = (sources: readonly Source[]): fc.Arbitrary<Submission> =>
  fc
    .record({
      source: fc.constantFrom(...sources),
      renames: fc.array(fc.tuple(fc.constantFrom(...writtenNames), newName), { minLength: 1, maxLength: 3 }),
    })
    .map(({ source, renames }) => {
      const edit = (text: string): string =>
        renames.reduce(
          (before, [from, to]) => before.replaceAll(new RegExp(`\\b${from}\\b`, "g"), () => to),
          text,
        );
      const textOf = (value: object): string => JSON.stringify(editStrings(value, edit));
      return { policy: textOf(source.policy), queries: source.queries.map(textOf) };
    });

/** Pieces at one position of an accepted policy or query. */
export const compositions: fc.Arbitrary<Submission> = fc
  .tuple(
    fc.constantFrom(...positions),
    fc.array(fc.constantFrom(...pieces, ...names), { minLength: 1, maxLength: 3 }),
  )
  .map(([[, position], parts]) => position(parts.join("")));
