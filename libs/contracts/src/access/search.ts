import { z } from "zod";
import { Explanation } from "./explanation.ts";
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

/** Body of POST /access/v1/search/subject (AuthZEN 1.0, section 8.4). */
export const SearchSubjectRequest = z.object({
  subject: EntityType,
  resource: Entity,
  action: Action,
  context: Context.nullish(),
  page: PageRequest.nullish(),
});

/** Body of POST /access/v1/search/action (AuthZEN 1.0, section 8.6); an action in it is ignored. */
export const SearchActionRequest = z.object({
  subject: Entity,
  resource: Entity,
  context: Context.nullish(),
  page: PageRequest.nullish(),
});

const Page = z.object({ next_token: z.string(), count: z.int(), total: z.int().optional() });

export const ActionResults = z.object({
  page: Page.optional(),
  results: z.array(z.object({ name: z.string() })),
  context: z
    .object({
      /** With `X-Explain: true`: each action that a policy knows for these types. */
      explanation: z.array(z.object({ action: z.string(), ...Explanation.shape })),
    })
    .optional(),
});

export const SearchResults = z.object({
  page: Page.optional(),
  results: z.array(z.object({ type: z.string(), id: z.string() })),
  /** There when the time was up before the page was full: `page.next_token` continues the search. */
  context: z.object({ complete: z.literal(false) }).optional(),
});

export type PageRequest = z.output<typeof PageRequest>;
export type SearchResourceRequest = z.output<typeof SearchResourceRequest>;
export type SearchSubjectRequest = z.output<typeof SearchSubjectRequest>;
export type SearchActionRequest = z.output<typeof SearchActionRequest>;
export type ActionResults = z.output<typeof ActionResults>;
export type SearchResults = z.output<typeof SearchResults>;
