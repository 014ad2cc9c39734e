import { z } from "zod";
import { PatternPart } from "../access/explanation.ts";
import { resolverReasons } from "./resolver-reasons.ts";

const Record = z.object({ id: z.string(), name: z.string(), version: z.int() });

/** A filter or one of its leaves, by its place in the policy or query and in its author's words. */
const FilterPart = z.object({
  path: z.string(),
  operator: z.string(),
  attribute: z.unknown().optional(),
  value: z.unknown().optional(),
  /** Of a leaf with a `datetime` object. */
  compares: z.literal("instants").optional(),
});

const outcomes = ["rows", "filter_not_satisfied", "pattern_not_matched", "unknown"] as const;
const lists = ["upsert_nodes", "upsert_relationships", "delete_nodes", "delete_relationships"] as const;

/** Why a knowledge query answered what it answered. Nothing in it is a value of the graph. */
export const QueryExplanation = z.object({
  policy: Record,
  query: Record,
  outcome: z.enum(outcomes),
  /** The graph holds no such subject. */
  missing: z
    .array(z.enum(["subject"]))
    .readonly()
    .optional(),
  /** The first part of the pattern after which nothing is left. */
  part: PatternPart.optional(),
  /** The first filter that leaves no row. */
  filter: FilterPart.extend({ certain: z.boolean() }).optional(),
  /** How many rows there are before paging; absent when they could not be counted in time. */
  rows: z
    .object({
      pattern: z.int(),
      /** Those of the policy and then of the query, in turn; members of an AND each by itself. */
      filters: z.array(
        FilterPart.extend({
          before: z.int(),
          after: z.int(),
          /** Of OR and NOT: how many of the rows before have each leaf true. */
          leaves: z.array(FilterPart.extend({ rows: z.int() })).optional(),
        }),
      ),
    })
    .optional(),
  /** What the statement of the answer cost: of a writing query its match, which is read once more to know. */
  statement: z.object({ rows: z.int(), database_hits: z.int(), milliseconds: z.number() }).optional(),
  /** Of a writing query: how many distinct nodes or relationships each of its entries wrote. */
  written: z.array(z.object({ list: z.enum(lists), entry: z.string(), elements: z.int() })).optional(),
  /** Calls of external data resolvers for the rows of the answer; absent when there was none. */
  resolvers: z
    .array(
      z.object({
        resolver: z.string(),
        outcome: z.enum(["resolved", ...resolverReasons]),
        milliseconds: z.number(),
      }),
    )
    .optional(),
  /** What it took to find that out, besides the statement of the answer. */
  statements: z.int(),
  database_hits: z.int(),
  milliseconds: z.number(),
});

export type QueryExplanation = z.output<typeof QueryExplanation>;
