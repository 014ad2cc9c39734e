import { z } from "zod";
import { Action, Context, Entity, EntityType, freeObject } from "./entities.ts";

/** Most results of one page; a larger `limit` is cut to it. */
export const maxSearchPage = 1000;

const PageRequest = z.object({
  token: z.string({ error: "string expected" }).max(4096, { error: "at most 4096 characters" }).nullish(),
  limit: z.int({ error: "integer expected" }).min(0, { error: "0 or more" }).nullish(),
  properties: freeObject.nullish(),
});

/** Body of POST /access/v1/search/resource (AuthZEN 1.0, section 8.5). */
export const SearchResourceRequest = z.object({
  subject: Entity,
  resource: EntityType,
  action: Action,
  context: Context.nullish(),
  page: PageRequest.nullish(),
});

export const SearchResults = z.object({
  page: z.object({ next_token: z.string(), count: z.int(), total: z.int().optional() }).optional(),
  results: z.array(z.object({ type: z.string(), id: z.string() })),
});

export type PageRequest = z.output<typeof PageRequest>;
export type SearchResourceRequest = z.output<typeof SearchResourceRequest>;
export type SearchResults = z.output<typeof SearchResults>;
