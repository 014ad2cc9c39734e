import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { Problem } from "@ikg/contracts";

const Content = z.object({ v: z.literal(1), after: z.string(), limit: z.int().min(0), hash: z.string() });

/** Where a search goes on: after which id, with how many results a page. */
export interface Position {
  readonly after: string;
  readonly limit: number;
}

export interface PageTokens {
  /** @param scope what the token is bound to: entities, context, project and token subject. */
  issue(position: Position, scope: unknown): string;
  /** @throws Problem "invalid_request" (400) for a token of another search, or one that we did not make. */
  read(token: string, scope: unknown): Position;
}

const hashOf = (scope: unknown): string =>
  createHash("sha256").update(JSON.stringify(scope)).digest("base64url").slice(0, 22);

const refused = (): Problem =>
  new Problem("invalid_request", { errors: ["page.token: not a token of this search"] });

/** Page tokens that callers cannot make or change (AuthZEN 1.0, section 8.2.2; authzen specification 5.1). */
export const pageTokens = (key: Buffer): PageTokens => {
  const own = createHmac("sha256", key).update("access page tokens").digest();
  const sign = (content: string): Buffer =>
    createHmac("sha256", own).update(content).digest().subarray(0, 16);
  return {
    issue: ({ after, limit }, scope) => {
      const content = Buffer.from(JSON.stringify({ v: 1, after, limit, hash: hashOf(scope) })).toString(
        "base64url",
      );
      return `${content}.${sign(content).toString("base64url")}`;
    },
    read: (token, scope) => {
      const [content = "", signature = "", ...more] = token.split(".");
      const given = Buffer.from(signature, "base64url");
      const expected = sign(content);
      if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
        throw refused();
      // What we signed is what we wrote; the schema guards against tokens of an older form.
      const parsed = Content.safeParse(JSON.parse(Buffer.from(content, "base64url").toString()));
      if (!parsed.success || parsed.data.hash !== hashOf(scope)) throw refused();
      return { after: parsed.data.after, limit: parsed.data.limit };
    },
  };
};
