import { z } from "zod";
import { Problem } from "@ikg/contracts";
import { sealedTokens } from "@ikg/service";

const Content = z.object({
  v: z.literal(2),
  after: z.string(),
  limit: z.int().min(0),
  sliced: z.boolean(),
  // Tokens of earlier builds do not say: the search that they continue then ends without an error.
  empty: z.boolean().default(false),
});

/** Where the next page begins: after which id, with how many results a page. */
export interface Position {
  readonly after: string;
  readonly limit: number;
  /** One statement did not finish this search: it continues in slices. */
  readonly sliced: boolean;
  /** The pages before found nothing. */
  readonly empty: boolean;
}

export interface PageTokens {
  /** @param scope what the token is bound to: entities, context, project and token subject. */
  issue(position: Position, scope: unknown): string;
  /** @throws Problem "invalid_request" (400) for a token of another search, or one that this service did not issue. */
  read(token: string, scope: unknown): Position;
}

const refused = (): Problem =>
  new Problem("invalid_request", { errors: ["page.token: not a token of this search"] });

/**
 * Page tokens that callers cannot make or change (AuthZEN 1.0, section 8.2.2).
 *
 * @param former keys whose tokens are still accepted.
 */
export const pageTokens = (key: Buffer, former: readonly Buffer[] = []): PageTokens => {
  const sealed = sealedTokens(key, "access page tokens", former);
  return {
    issue: (position, scope) => sealed.issue({ v: 2, ...position }, scope),
    read: (token, scope) => {
      // A sealed token is one that this service wrote; the schema guards against tokens of an older form.
      const parsed = Content.safeParse(sealed.read(token, scope));
      if (!parsed.success) throw refused();
      const { v: _, ...position } = parsed.data;
      return position;
    },
  };
};
