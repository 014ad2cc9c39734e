import { z } from "zod";
import { type Gid, Problem } from "@ikg/contracts";
import { type Reply, reply } from "./route.ts";
import { sealedTokens } from "../contexts/sealed-tokens.ts";

/** Returned by writes, and sent with a read that has to see them. */
export const consistencyHeader = "X-Consistency-Token";

const Content = z.tuple([z.literal(1), z.record(z.string(), z.array(z.string()))]);

/** States of the databases of a project's graph, by constituent, as `libs/graph` names them. */
type States = Readonly<Record<string, readonly string[]>>;

/** Tokens that name what a write left behind, so that a later read on another server of a cluster sees it. */
export interface ConsistencyTokens {
  issue(project: Gid, states: States): string;
  /**
   * @param token as it came; undefined when none did.
   * @throws Problem `invalid_request` (400) for a token that is not of this project.
   */
  read(project: Gid, token: string | undefined): States | undefined;
}

const tokenRefused = (): Problem =>
  new Problem("invalid_request", { errors: [`${consistencyHeader}: not a token of this project`] });

/**
 * @param key TOKEN_SEALING_KEY
 * @param former keys of earlier rotations, whose tokens are accepted as well.
 */
export const consistencyTokens = (key: Uint8Array, former: readonly Uint8Array[] = []): ConsistencyTokens => {
  const sealed = sealedTokens(key, "consistency tokens", former);
  return {
    issue: (project, states) => sealed.issue([1, states], project),
    read: (project, token) => {
      if (token === undefined) return undefined;
      // The seal proves the origin; the schema rejects tokens of an older form.
      const parsed = Content.safeParse(sealed.read(token, project));
      if (!parsed.success) throw tokenRefused();
      return parsed.data[1];
    },
  };
};

/**
 * Adds the token that names the written state to the response of a write.
 *
 * @param work receives a function that reports the state after a commit.
 */
export const withConsistency = async (
  tokens: ConsistencyTokens,
  project: Gid,
  work: (onCommit: (states: States) => void) => Promise<unknown>,
): Promise<Reply> => {
  let written: States = {};
  const answer = await work((states) => (written = { ...written, ...states }));
  const headers =
    Object.keys(written).length === 0 ? {} : { [consistencyHeader]: tokens.issue(project, written) };
  return reply(200, answer, headers);
};
