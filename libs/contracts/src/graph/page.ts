import { z } from "zod";

/** Limits of reading the graph. */
export const graphLimits = {
  /** Items of a page when the request names no number, and at most. */
  page: 100,
  largestPage: 500,
  /** Relationship types that one request may name. */
  types: 100,
} as const;

const limitFault = `integer from 1 to ${graphLimits.largestPage} expected`;

/** What every list of the graph takes to page. */
export const graphPageFields = {
  /** Of the page before; its length is bounded by what the longest external id needs. */
  cursor: z.string({ error: "string expected" }).max(8_192, { error: "at most 8192 characters" }).optional(),
  limit: z
    .string({ error: limitFault })
    .regex(/^\d{1,6}$/, { error: limitFault })
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= graphLimits.largestPage, { error: limitFault })
    .default(graphLimits.page),
};
