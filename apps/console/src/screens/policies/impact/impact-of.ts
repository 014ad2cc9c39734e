import type { ChangeSetEntry, SimulatedQuestion, Simulation } from "@ikg/client";
import type { PlaygroundSearch } from "../../playground/question/playground-search.ts";
import { type PolicyDraft, textOf } from "../draft/draft.ts";

/** The inputs of requests, as they are entered. */
export interface ImpactInputs {
  /** JSON; empty for none. */
  readonly params: string;
  /** JSON of claims; empty for none. */
  readonly claims: string;
  readonly isSignedIn: boolean;
}

export const noInputs: ImpactInputs = { params: "", claims: "", isSignedIn: false };

/** The change that saving a draft would be; undefined while a field is not valid JSON. */
export const putOf = (draft: PolicyDraft): ChangeSetEntry | undefined => {
  const policy = textOf(draft);
  if (policy === undefined || draft.name === "") return undefined;
  const { name, status, tags } = draft;
  return { op: "put", collection: "authorization-policies", name, record: { policy, status, tags } };
};

export const deletionOf = (name: string): ChangeSetEntry => ({
  op: "delete",
  collection: "authorization-policies",
  name,
});

const parsed = (json: string): Record<string, unknown> | undefined =>
  json.trim() === "" ? undefined : (JSON.parse(json) as Record<string, unknown>);

/** As a simulation takes them. @throws SyntaxError for invalid JSON */
export const sentInputs = ({ params, claims, isSignedIn }: ImpactInputs) => {
  const [input, token] = [parsed(params), parsed(claims)];
  return {
    ...(input !== undefined && { input_params: input }),
    ...(token !== undefined && { token }),
    ...(isSignedIn && { signed_in: true }),
  };
};

type Difference = SimulatedQuestion["gained"];

/** A number as it is known: `12`, `about 1,200 (900 to 1,500)`. */
export const estimateText = ({ count, exact, low, high }: Omit<Difference, "examples">): string => {
  if (exact) return count.toLocaleString();
  const range =
    low === undefined || high === undefined ? "" : ` (${low.toLocaleString()} to ${high.toLocaleString()})`;
  return `about ${count.toLocaleString()}${range}`;
};

/** The answers of one simulation, page by page, as one: counts of the last, examples of all. */
export const joinPages = (pages: readonly Simulation[]): Simulation | undefined => {
  const last = pages.at(-1);
  if (last === undefined) return undefined;
  const examplesOf = (at: number, which: "gained" | "lost") =>
    pages.flatMap(({ questions }) => questions[at]?.[which].examples ?? []);
  return {
    ...last,
    questions: last.questions.map((question, at) => ({
      ...question,
      gained: { ...question.gained, examples: examplesOf(at, "gained") },
      lost: { ...question.lost, examples: examplesOf(at, "lost") },
    })),
  };
};

/** What is gained and lost, over all questions. */
export const totalsOf = ({ questions }: Simulation): { gained: number; lost: number; isExact: boolean } => ({
  gained: questions.reduce((sum, { gained }) => sum + gained.count, 0),
  lost: questions.reduce((sum, { lost }) => sum + lost.count, 0),
  isExact: questions.every(({ gained, lost }) => gained.exact && lost.exact),
});

/** The address of the playground that asks about an example. */
export const questionOf = (
  { subject_type, action, resource_type }: SimulatedQuestion,
  { subject, resource }: Difference["examples"][number],
  params: string,
): PlaygroundSearch => ({
  subject_type,
  subject,
  action,
  resource_type,
  resource,
  ...(params.trim() !== "" && { params }),
});
