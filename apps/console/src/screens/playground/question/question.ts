import type { Context, Entity } from "@ikg/client";
import { objectExpected, objectOf } from "../../../text/json.ts";
import { type Draft, type Mode } from "./playground-search.ts";
import { parseLines, type Line } from "./decision-line.ts";

/** What policies may read besides the graph, as the client takes it. */
export interface Inputs {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly tags?: readonly string[];
}

/** A question that can be asked. */
export type Question = Inputs &
  (
    | {
        readonly mode: "decision";
        readonly subject: Entity;
        readonly action: string;
        readonly resource: Entity;
      }
    | { readonly mode: "batch"; readonly lines: readonly Line[] }
    | { readonly mode: "resources"; readonly subject: Entity; readonly action: string; readonly type: string }
    | { readonly mode: "subjects"; readonly type: string; readonly action: string; readonly resource: Entity }
    | { readonly mode: "actions"; readonly subject: Entity; readonly resource: Entity }
  );

export type QuestionOf<M extends Mode> = Extract<Question, { mode: M }>;

export type Field = Exclude<keyof Draft, "mode">;

/** A question, or the errors of the draft by field. */
export type ParsedDraft =
  | { readonly question: Question }
  | { readonly errors: Readonly<Partial<Record<Field, string>>> };

/** Which fields each mode needs. */
export const fieldsOf: Readonly<Record<Mode, readonly Field[]>> = {
  decision: ["subject_type", "subject", "action", "resource_type", "resource"],
  batch: ["lines"],
  resources: ["subject_type", "subject", "action", "resource_type"],
  subjects: ["subject_type", "action", "resource_type", "resource"],
  actions: ["subject_type", "subject", "resource_type", "resource"],
};

/** @throws SyntaxError saying what is expected. */
const paramsOf = (text: string): Inputs => {
  if (text.trim() === "") return {};
  const params = objectOf(text);
  if (params === undefined) throw new SyntaxError(objectExpected);
  return { params };
};

const tagsOf = (text: string): Inputs => {
  const tags = text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
  return tags.length === 0 ? {} : { tags };
};

const build = (draft: Draft, inputs: Inputs, lines: readonly Line[]): Question => {
  const subject = { type: draft.subject_type, id: draft.subject };
  const resource = { type: draft.resource_type, id: draft.resource };
  const { action } = draft;
  switch (draft.mode) {
    case "decision":
      return { ...inputs, mode: "decision", subject, action, resource };
    case "batch":
      return { ...inputs, mode: "batch", lines };
    case "resources":
      return { ...inputs, mode: "resources", subject, action, type: resource.type };
    case "subjects":
      return { ...inputs, mode: "subjects", type: subject.type, action, resource };
    case "actions":
      return { ...inputs, mode: "actions", subject, resource };
  }
};

/** Reads a draft. */
export const parseDraft = (draft: Draft): ParsedDraft => {
  const errors: Partial<Record<Field, string>> = {};
  for (const field of fieldsOf[draft.mode]) if (draft[field] === "") errors[field] = "Required";
  let inputs: Inputs = tagsOf(draft.tags);
  try {
    inputs = { ...inputs, ...paramsOf(draft.params) };
  } catch (error) {
    errors.params = (error as SyntaxError).message;
  }
  let lines: readonly Line[] = [];
  if (draft.mode === "batch" && draft.lines !== "")
    try {
      lines = parseLines(draft.lines);
      if (lines.length === 0) errors.lines = "Required";
    } catch (error) {
      errors.lines = (error as SyntaxError).message;
    }
  return Object.keys(errors).length > 0 ? { errors } : { question: build(draft, inputs, lines) };
};

/** The context of a request: what the client makes of `params` and `tags`. */
export const contextOf = ({ params, tags }: Inputs): { readonly context?: Context } =>
  params === undefined && tags === undefined
    ? {}
    : {
        context: {
          ...(params !== undefined && { input_params: { ...params } }),
          ...(tags !== undefined && { policy_tags: tags }),
        },
      };
