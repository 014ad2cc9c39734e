import { setFields } from "@ikg/contracts";
import type { AuditNote } from "@ikg/service";
import type { Arrival } from "./arrival.ts";

type Json = Readonly<Record<string, unknown>>;

/** A question as it came and what it was asked with. */
export interface Asked {
  readonly operation: string;
  readonly arrival: Arrival;
  readonly body: unknown;
  readonly consistencyToken: string | undefined;
}

const object = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {}; // judged here
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const list = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);

const entity = (value: unknown): { type: string; id?: string } | undefined => {
  const { type, id } = object(value);
  if (typeof type !== "string") return undefined;
  return typeof id === "string" ? { type, id } : { type };
};

/** What policies may read besides the graph, as far as it was sent: a later replay needs it. */
const inputsOf = ({ subject, resource, action, context }: Json): Record<string, unknown> | undefined => {
  const { input_params: _, ...rest } = object(context);
  const sent = setFields({
    subject: object(subject)["properties"],
    resource: object(resource)["properties"],
    action: object(action)["properties"],
    context: Object.keys(rest).length === 0 ? undefined : rest,
  });
  return Object.keys(sent).length === 0 ? undefined : sent;
};

/** Policies whose pattern and filter may have been asked: those of the types and the action. */
const triedOf = ({ view }: Arrival, subject?: string, action?: string, resource?: string) =>
  subject === undefined || action === undefined || resource === undefined
    ? undefined
    : view.kbacCandidates(subject, action, resource).map(({ id, version }) => ({ id, version }));

const askedOf = (arrival: Arrival, question: Json) => {
  const [subject, resource] = [entity(question["subject"]), entity(question["resource"])];
  const action = text(object(question["action"])["name"]);
  const params = object(question["context"])["input_params"];
  return setFields({
    subject,
    resource,
    action,
    input_params: params === undefined || params === null ? undefined : { ...object(params) },
    inputs: inputsOf(question),
    tried: triedOf(arrival, subject?.type, action, resource?.type),
  });
};

const searches = {
  search_subject: "audit.authorization.searchsubject",
  search_resource: "audit.authorization.searchresource",
  search_action: "audit.authorization.searchaction",
} as const;

const isSearch = (operation: string): operation is keyof typeof searches => operation in searches;

/** Each entry with the defaults of the batch, and what was decided of it. */
const entriesOf = (arrival: Arrival, { evaluations, ...defaults }: Json, answers: readonly unknown[]) =>
  answers.map((answer, index) => ({
    ...askedOf(arrival, { ...defaults, ...object(list(evaluations)?.[index]) }),
    decision: object(answer)["decision"] === true,
  }));

type DecisionType =
  | "audit.authorization.evaluation"
  | "audit.authorization.evaluations"
  | (typeof searches)[keyof typeof searches];

/**
 * What the audit record of a question says (runtime specification 5.1): denials like grants, and everything that it was
 * decided from besides the graph.
 *
 * @param answer undefined when the question was refused.
 */
export const decisionNote = (asked: Asked, answer: unknown): AuditNote<DecisionType> => {
  const { operation, arrival, body, consistencyToken: consistency_token } = asked;
  const { token, view } = arrival;
  const iss = text(token?.claims["iss"]);
  const common = {
    chain: view.project.id,
    onBehalfOf:
      token === undefined ? undefined : { ...(iss === undefined ? {} : { iss }), sub: token.subject },
  };
  const question = object(body);
  if (isSearch(operation)) {
    const results = list(object(answer)["results"])?.length;
    const data = setFields({ ...askedOf(arrival, question), results, consistency_token });
    return { ...common, type: searches[operation], data };
  }
  const answers = list(object(answer)["evaluations"]);
  if (operation === "evaluate_batch" && (answers !== undefined || answer === undefined)) {
    const evaluations = answers && entriesOf(arrival, question, answers);
    const count = list(question["evaluations"])?.length ?? 0;
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
      ...askedOf(arrival, question),
      decision: typeof decision === "boolean" ? decision : undefined,
      consistency_token,
    }),
    ...(decision === false ? { outcome: "denied" as const } : {}),
  };
};
