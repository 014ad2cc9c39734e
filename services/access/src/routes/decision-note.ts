import type { StoredKbacPolicy } from "@ikg/catalog";
import { isJsonObject, omitUndefined, stringOrUndefined } from "@ikg/contracts";
import { bindValues, RequiredInputs, referenceKey } from "@ikg/policy-core";
import { type AuditNote, onBehalfOf } from "@ikg/service";
import { completeEntry } from "../decisions/batch-entry.ts";
import { withAnyTag } from "../decisions/candidates.ts";
import type { QuestionContext } from "./question-context.ts";

type Json = Readonly<Record<string, unknown>>;

/** A question as it was received, with its context and the policies that granted. */
export interface AuditedQuestion {
  readonly operation: string;
  readonly context: QuestionContext;
  readonly body: unknown;
  readonly consistencyToken: string | undefined;
  /** Policies that granted, by the index of their entry. */
  readonly grants: ReadonlyMap<number, StoredKbacPolicy>;
}

const object = (value: unknown): Json => (isJsonObject(value) ? value : {});
const list = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);

const recordedEntity = (value: unknown): { type: string; id?: string } | undefined => {
  const { type, id } = object(value);
  if (typeof type !== "string") return undefined;
  return typeof id === "string" ? { type, id } : { type };
};

/** The claims that policies read, by their paths; the record holds no others. */
const claimsOf = ({ token }: QuestionContext, policies: readonly StoredKbacPolicy[]): Json | undefined => {
  if (token === undefined) return undefined;
  // Without the limits of sizes: a value that is too large for one policy may be read by another.
  const needs = new RequiredInputs();
  for (const { policy } of policies)
    for (const reference of policy.needs.references.values())
      if (reference.kind === "token") needs.add(reference);
  if (!needs.readsToken) return undefined;
  const { token: values } = bindValues(needs, { inputParams: {}, token: token.claims });
  return Object.fromEntries(
    [...needs.references.values()].map((each) => [referenceKey(each), values[referenceKey(each)] ?? null]),
  );
};

const contextRests = new WeakMap<object, Json | undefined>();

const restOfObject = (context: Json): Json | undefined => {
  const { input_params: params, ...withoutParams } = context;
  const rest = isJsonObject(params) || params === undefined || params === null ? withoutParams : context;
  return Object.keys(rest).length === 0 ? undefined : rest;
};

/**
 * What a context has besides the members that a record has fields of its own for; of a wrong form, as it was sent. Entries of a
 * batch with the same context share the result.
 */
const restOf = (context: unknown): unknown => {
  if (!isJsonObject(context)) return context ?? undefined;
  if (!contextRests.has(context)) contextRests.set(context, restOfObject(context));
  return contextRests.get(context);
};

/** What policies may read besides the graph, as far as it was sent, so that the decision can be replayed. */
const sentInputs = (
  { subject, resource, action, context }: Json,
  token: Json | undefined,
): Record<string, unknown> | undefined => {
  const sent = omitUndefined({
    subject: object(subject)["properties"],
    resource: object(resource)["properties"],
    action: object(action)["properties"],
    context: restOf(context),
    token,
  });
  return Object.keys(sent).length === 0 ? undefined : sent;
};

/** The candidates after tags, of the action or of every action, also those whose filter was not true or whose parameter was missing. */
const triedPolicies = (
  { snapshot }: QuestionContext,
  tags: unknown,
  subject?: string,
  action?: string,
  resource?: string,
): readonly StoredKbacPolicy[] | undefined => {
  if (subject === undefined || resource === undefined) return undefined;
  const candidates =
    action === undefined
      ? snapshot
          .kbacPolicies()
          .filter(({ policy }) => policy.subjectType === subject && policy.resourceType === resource)
      : snapshot.kbacCandidates(subject, action, resource);
  return withAnyTag(
    candidates,
    (list(tags) ?? []).filter((tag) => typeof tag === "string"),
  );
};

const recordedVersion = ({ id, version }: StoredKbacPolicy) => ({ id, version });

const questionFields = (context: QuestionContext, question: Json) => {
  const [subject, resource] = [recordedEntity(question["subject"]), recordedEntity(question["resource"])];
  const action = stringOrUndefined(object(question["action"])["name"]);
  const { input_params: params, policy_tags: tags } = object(question["context"]);
  const candidates = triedPolicies(context, tags, subject?.type, action, resource?.type);
  return omitUndefined({
    subject,
    resource,
    action,
    input_params: isJsonObject(params) ? params : undefined,
    inputs: sentInputs(question, claimsOf(context, candidates ?? [])),
    tried: candidates?.map(recordedVersion),
  });
};

const searches = {
  search_subject: "audit.authorization.searchsubject",
  search_resource: "audit.authorization.searchresource",
  search_action: "audit.authorization.searchaction",
} as const;

const isSearch = (operation: string): operation is keyof typeof searches => operation in searches;

const grantOf = ({ grants }: AuditedQuestion, at: number) => {
  const policy = grants.get(at);
  return policy === undefined ? {} : { granted_by: recordedVersion(policy) };
};

/** An entry as it was evaluated; what is no object was rejected. */
const evaluatedEntry = (entry: unknown, defaults: Json): Json =>
  isJsonObject(entry) ? completeEntry(entry, defaults) : {};

/** Each entry with the defaults of the batch, and its decision. */
const entriesOf = (
  question: AuditedQuestion,
  { evaluations, ...defaults }: Json,
  answers: readonly unknown[],
) =>
  answers.map((answer, index) => ({
    ...questionFields(question.context, evaluatedEntry(list(evaluations)?.[index], defaults)),
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
  const { token, snapshot } = context;
  const common = { chain: snapshot.project.id, onBehalfOf: onBehalfOf(token) };
  const request = object(body);
  if (isSearch(operation)) {
    const results = list(object(answer)["results"])?.length;
    const data = omitUndefined({ ...questionFields(context, request), results, consistency_token });
    return { ...common, type: searches[operation], data };
  }
  const answers = list(object(answer)["evaluations"]);
  if (operation === "evaluate_batch" && (answers !== undefined || answer === undefined)) {
    const evaluations = answers && entriesOf(question, request, answers);
    const count = list(request["evaluations"])?.length ?? 0;
    return {
      ...common,
      type: "audit.authorization.evaluations",
      data: omitUndefined({ count, evaluations, consistency_token }),
    };
  }
  const { decision } = object(answer);
  return {
    ...common,
    type: "audit.authorization.evaluation",
    data: omitUndefined({
      ...questionFields(context, request),
      ...grantOf(question, 0),
      decision: typeof decision === "boolean" ? decision : undefined,
      consistency_token,
    }),
    ...(decision === false ? { outcome: "denied" as const } : {}),
  };
};
