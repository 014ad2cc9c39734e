import { createHash } from "node:crypto";
import { Problem, type SimulationRequest } from "@ikg/contracts";
import { sealedTokens } from "@ikg/service";
import { z } from "zod";
import type { QuestionState } from "./question-state.ts";
import type { AffectedQuestion } from "./questions.ts";
import type { QueryProgress } from "./requested-queries.ts";

const Tally = z.object({
  examined: z.int(),
  sum: z.int(),
  squares: z.number(),
  cubes: z.number(),
  having: z.int(),
  largest: z.int(),
});

const State = z.object({
  position: z.int(),
  skipped: z.int(),
  pageSize: z.int().min(1),
  gained: Tally,
  lost: Tally,
  granted: z.object({ before: Tally, after: Tally }),
  grantedPosition: z.int(),
});

const Content = z.object({
  v: z.literal(1),
  states: z.array(State),
  queries: z.array(z.enum(["open", "done", "unknown"])),
});

/** How far a simulation came. */
export interface Progress {
  readonly states: readonly QuestionState[];
  readonly queries: readonly QueryProgress[];
}

/** Tokens by which a simulation that ran out of time continues. */
export interface ProgressTokens {
  issue(progress: Progress, request: SimulationRequest, questions: readonly AffectedQuestion[]): string;
  /** @throws Problem "unprocessable" (422) for a token of another simulation, of other policies, or one that was not issued here. */
  read(request: SimulationRequest, questions: readonly AffectedQuestion[]): Progress | undefined;
}

/** What a token is bound to: everything that the numbers in it depend on besides the graph. */
const scopeOf = (
  { project_id, changes, scope, inputs, seed, questions: explicit, queries }: SimulationRequest,
  questions: readonly AffectedQuestion[],
): string => {
  // After the changes the policies are these with the changes; one that was not in force may keep the tags of its record.
  const policies = questions.map(({ before, after }) => [
    ...before.map(({ id, version }) => [id, version]),
    ...after.flatMap(({ id, name, tags }) => (id === "" && tags.length > 0 ? [[name, tags]] : [])),
  ]);
  return createHash("sha256")
    .update(
      JSON.stringify(
        [project_id, changes, scope, inputs, seed, explicit, queries, policies].map((each) => each ?? null),
      ),
    )
    .digest("base64url");
};

/** @param former keys of earlier rotations, whose tokens are accepted as well. */
export const progressTokens = (key: Buffer, former: readonly Buffer[] = []): ProgressTokens => {
  const sealed = sealedTokens(key, "simulation progress", former);
  return {
    issue: (progress, request, questions) => sealed.issue({ v: 1, ...progress }, scopeOf(request, questions)),
    read: (request, questions) => {
      if (request.next === undefined) return undefined;
      const parsed = Content.safeParse(sealed.read(request.next, scopeOf(request, questions)));
      if (!parsed.success || parsed.data.states.length !== questions.length)
        throw new Problem("unprocessable", { errors: ["next: not a token of this simulation"] });
      const { states, queries } = parsed.data;
      return { states, queries };
    },
  };
};
