/**
 * Random texts for the checker, by kind, and what it accepts of them. A kind is drawn once, when a test first
 * needs it, so that each test can run alone.
 */
import { expect } from "@jest/globals";
import fc from "fast-check";
import { corpusIsAbsent } from "../../../../stack/src/testing/corpus.ts";
import { corpus, queriesOf } from "../corpus.ts";
import { runs, seed } from "../runs.ts";
import { policies } from "../sample-policies/policies.ts";
import type { Printed } from "../sample-policies/statements-of.ts";
import { compositions, mutations, renamings, type Source } from "./mutate.ts";
import { outcomeOf } from "./outcome.ts";
import type { Submission } from "./positions.ts";
import { sample } from "./sample.ts";
import { textDigest } from "./text-digest.ts";
import type { WritingQuery } from "./write-work.ts";

const ours: readonly Source[] = policies.map(([policy, queries]) => ({ policy, queries }));
const corpusSources: readonly Source[] = corpus.flatMap((entry) =>
  entry.policy === undefined ? [] : [{ policy: entry.policy, queries: queriesOf(entry) }],
);
const writers = ours.filter(({ queries }) => /"(upsert|delete)_/.test(JSON.stringify(queries)));

export type Kind = "ours" | "writers" | "positions" | "corpus";

/** Those that can be drawn here, in the order in which samples take them. */
const kinds: readonly Kind[] = [
  "ours",
  "writers",
  "positions",
  ...(corpusIsAbsent === undefined ? (["corpus"] as const) : []),
];

/** How many texts of each kind are drawn. A text of `writers` is compiled with several queries. */
const counts: Readonly<Record<Kind, number>> = {
  ours: runs(50_000, 80),
  writers: runs(20_000, 60),
  positions: runs(30_000, 80),
  corpus: runs(33_000, 80),
};

/** The generators are made on use: that of the corpus needs its policies. */
const generators: Readonly<Record<Kind, () => fc.Arbitrary<Submission>>> = {
  ours: () => mutations(ours),
  writers: () => fc.oneof(mutations(writers), { weight: 3, arbitrary: renamings(writers) }),
  positions: () => compositions,
  corpus: () => mutations(corpusSources),
};

/** What the checker made of the texts of one kind. */
export interface Drawing {
  /** Statements that read, by their texts. */
  readonly statements: ReadonlyMap<string, Printed>;
  /** By their digests: there are tens of thousands of them. */
  readonly writing: ReadonlyMap<string, WritingQuery>;
  /** The failure of a text that was neither accepted nor refused with a place; undefined without one. */
  readonly error: unknown;
}

const textOfQuery = ({ policy, query }: WritingQuery): string => `${policy}\n${query}`;

const draw = (kind: Kind): Drawing => {
  const statements = new Map<string, Printed>();
  const writing = new Map<string, WritingQuery>();
  const property = fc.property(generators[kind](), (submission) => {
    const outcome = outcomeOf(submission);
    expect(outcome.untyped).toEqual([]);
    for (const statement of outcome.statements)
      if (!statement.writes) statements.set(statement.text, statement);
    for (const query of outcome.writing) writing.set(textDigest(textOfQuery(query)), query);
  });
  let error: unknown;
  try {
    fc.assert(property, { numRuns: counts[kind], seed: seed() });
  } catch (failure) {
    error = failure;
  }
  return { statements, writing, error };
};

const drawings = new Map<Kind, Drawing>();

/** The drawing of a kind. The first call makes it, which takes minutes in the long run. */
export const drawingOf = (kind: Kind): Drawing => {
  const drawing = drawings.get(kind) ?? draw(kind);
  drawings.set(kind, drawing);
  return drawing;
};

/** Accepted statements that read, in an order in which the first ones stand for all. */
export const readingStatements = (): readonly Printed[] =>
  sample(
    kinds.map((kind) => [...drawingOf(kind).statements.values()]),
    ({ text }) => text,
  );

/** Accepted queries that write, in an order in which the first ones stand for all. */
export const writingQueries = (): readonly WritingQuery[] =>
  sample(
    kinds.map((kind) => [...drawingOf(kind).writing.values()]),
    textOfQuery,
  );
