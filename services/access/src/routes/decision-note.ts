import type { StoredKbacPolicy } from "@ikg/catalog";
import { setFields, isJsonObject } from "@ikg/contracts";
import { bindValues, needsOf, referenceKey } from "@ikg/policy-core";
import { type AuditNote, onBehalfOf } from "@ikg/service";
import type { RequestContext } from "./request-context.ts";

type Json = Readonly<Record<string, unknown>>;

/** A question as it was received, with its context and the policies that granted. */
export interface AuditedQuestion {
  readonly operation: string;
  readonly context: RequestContext;
  readonly body: unknown;
  readonly consistencyToken: string | undefined;
  /** Policies that granted, by the index of their entry. */
  readonly grants: ReadonlyMap<number, StoredKbacPolicy>;
}

const object = (value: unknown): Json => (isJsonObject(value) ? value : {});
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const list = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);

const entity = (value: unknown): { type: string; id?: string } | undefined => {
  const { type, id } = object(value);
  if (typeof type !== "string") return undefined;
  return typeof id === "string" ? { type, id } : { type };
};

/** The claims that policies read, by their paths; the record holds no others. */
const claimsOf = ({ token }: RequestContext, policies: readonly StoredKbacPolicy[]): Json | undefined => {
  const reading = token === undefined ? [] : policies.filter(({ policy }) => policy.needs.readsToken);
  if (reading.length === 0) return undefined;
  const needs = needsOf(...reading.map(({ policy }) => policy.needs));
  const paths = [...needs.references.values()].flatMap((each) =>
    each.kind === "token" ? [referenceKey(each)] : [],
  );
  const { token: values } = bindValues(needs, { inputParams: {}, token: token?.claims });
  return Object.fromEntries(paths.map((path) => [path, values[path] ?? null]));
};

const contextRests = new WeakMap<object, Json>();

/** A context without the members that a record has fields of its own for; entries of a batch with the same context share the result. */
const restOf = (context: unknown): Json => {
  const known = contextRests.get(object(context));
  if (known !== undefined) return known;
  const { input_params: _, ...rest } = object(context);
  contextRests.set(object(context), rest);
  return rest;
};

/** What policies may read besides the graph, as far as it was sent, so that the decision can be replayed. */
const inputsOf = (
  { subject, resource, action, context }: Json,
  token: Json | undefined,
): Record<string, unknown> | undefined => {
  const rest = restOf(context);
  const sent = setFields({
    subject: object(subject)["properties"],
    resource: object(resource)["properties"],
    action: object(action)["properties"],
    context: Object.keys(rest).length === 0 ? undefined : rest,
    token,
  });
  return Object.keys(sent).length === 0 ? undefined : sent;
};

/** Policies that may have been evaluated: those of the types and of the action, or of every action. */
const candidatesOf = (
  { view }: RequestContext,
  tags: unknown,
  subject?: string,
  action?: string,
  resource?: string,
): readonly StoredKbacPolicy[] | undefined => {
  if (subject === undefined || resource === undefined) return undefined;
  const candidates =
    action === undefined
      ? view
          .kbacPolicies()
          .filter(({ policy }) => policy.subjectType === subject && policy.resourceType === resource)
      : view.kbacCandidates(subject, action, resource);
  const wanted = (list(tags) ?? []).filter((tag) => typeof tag === "string");
  return wanted.length === 0
    ? candidates
    : candidates.filter((candidate) => candidate.tags.some((tag) => wanted.includes(tag)));
};

const versionOf = ({ id, version }: StoredKbacPolicy) => ({ id, version });

const questionFields = (context: RequestContext, question: Json) => {
  const [subject, resource] = [entity(question["subject"]), entity(question["resource"])];
  const action = text(object(question["action"])["name"]);
  const { input_params: params, policy_tags: tags } = object(question["context"]);
  const candidates = candidatesOf(context, tags, subject?.type, action, resource?.type);
  return setFields({
    subject,
    resource,
    action,
    input_params: params === undefined || params === null ? undefined : object(params),
    inputs: inputsOf(question, claimsOf(context, candidates ?? [])),
    tried: candidates?.map(versionOf),
  });
};

const searches = {
  search_subject: "audit.authorization.searchsubject",
  search_resource: "audit.authorization.searchresource",
  search_action: "audit.authorization.searchaction",
} as const;

const isSearch = (operation: string): operation is keyof typeof searches => operation in searches;

const grantOf = ({ grants }: AuditedQuestion, at: number) => {
  const by = grants.get(at);
  return by === undefined ? {} : { granted_by: versionOf(by) };
};

/** Each entry with the defaults of the batch, and its decision. */
const entriesOf = (
  question: AuditedQuestion,
  { evaluations, ...defaults }: Json,
  answers: readonly unknown[],
) =>
  answers.map((answer, index) => ({
    ...questionFields(question.context, { ...defaults, ...object(list(evaluations)?.[index]) }),
    ...grantOf(question, index),
    decision: object(answer)["decision"] === true,
  }));

type DecisionType =
  | "audit.authorization.evaluation"
  | "audit.authorization.evaluations"
  | (typeof searches)[keyof typeof searches];

/**
 * The audit record of a question: denials and grants alike, with everything besides the graph that it was decided
 * from.
 *
 * @param answer undefined when the question was rejected.
 */
export const decisionNote = (question: AuditedQuestion, answer: unknown): AuditNote<DecisionType> => {
  const { operation, context, body, consistencyToken: consistency_token } = question;
  const { token, view } = context;
  const common = { chain: view.project.id, onBehalfOf: onBehalfOf(token) };
  const request = object(body);
  if (isSearch(operation)) {
    const results = list(object(answer)["results"])?.length;
    const data = setFields({ ...questionFields(context, request), results, consistency_token });
    return { ...common, type: searches[operation], data };
  }
  const answers = list(object(answer)["evaluations"]);
  if (operation === "evaluate_batch" && (answers !== undefined || answer === undefined)) {
    const evaluations = answers && entriesOf(question, request, answers);
    const count = list(request["evaluations"])?.length ?? 0;
    return {
      ...common,
      type: "audit.authorization.evaluations",
      data: setFields({ count, evaluations, consistency_token }),
    };
  }
  const { decision } = object(answer);
  return {
    ...common,
    type: "audit.authorization.evaluation",
    data: setFields({
      ...questionFields(context, request),
      ...grantOf(question, 0),
      decision: typeof decision === "boolean" ? decision : undefined,
      consistency_token,
    }),
    ...(decision === false ? { outcome: "denied" as const } : {}),
  };
};
