import {
  isObject,
  isSameJson,
  type Members,
  objectOf,
  parseField,
  printJson,
  textOf,
  typeOf,
  jsonError,
} from "../../../text/json.ts";

/** A policy as fields of a form. What the fields cannot hold is not a form, and is edited as JSON. */
export type PolicyKind = "decisions" | "queries";

export interface PolicyForm {
  readonly kind: PolicyKind;
  /** Of the policy language, as `2.0-kbac`. */
  readonly version: string;
  readonly subject: string;
  /** Only of decisions, as the resource. */
  readonly actions: readonly string[];
  readonly resource: string;
  readonly cypher: string;
  /** JSON; empty for none. */
  readonly filter: string;
  /** JSON; empty for none. Only of queries. */
  readonly tokenFilter: string;
  /** JSON of the lists that say what queries may read and write; empty for none. */
  readonly allowed: string;
}

export type JsonField = "filter" | "tokenFilter" | "allowed";

export const versionsOf: Readonly<Record<PolicyKind, readonly string[]>> = {
  decisions: ["2.0-kbac", "3.0-kbac"],
  queries: ["1.0-ciq"],
};

export const emptyForm: PolicyForm = {
  kind: "decisions",
  version: "2.0-kbac",
  subject: "",
  actions: [],
  resource: "",
  cypher: "MATCH (subject)-[]->(resource)",
  filter: "",
  tokenFilter: "",
  allowed: "",
};

const allowedLists: ReadonlySet<string> = new Set(["allowed_reads", "allowed_upserts", "allowed_deletes"]);

/** The fields that each kind shows: what was typed into another one does not count. */
const jsonFields: Readonly<Record<PolicyKind, readonly JsonField[]>> = {
  decisions: ["filter"],
  queries: ["filter", "tokenFilter", "allowed"],
};

const fieldError = (form: PolicyForm, name: JsonField): string | undefined => {
  const error = jsonError(form[name]);
  if (error !== undefined || name !== "allowed" || form.allowed.trim() === "") return error;
  return isObject(parseField(form.allowed))
    ? undefined
    : 'Enter a JSON object, for example {"allowed_reads": {"nodes": ["subject.external_id"]}}';
};

/** The fields that do not contain the JSON that is expected, with what is wrong. */
export const invalidFields = (form: PolicyForm): Readonly<Partial<Record<JsonField, string>>> =>
  Object.fromEntries(
    jsonFields[form.kind].flatMap((name) => {
      const error = fieldError(form, name);
      return error === undefined ? [] : [[name, error] as const];
    }),
  );

const member = (name: string, value: unknown): Members => (value === undefined ? {} : { [name]: value });

/** The policy that the fields say. @throws SyntaxError for a field of `invalidFields` */
const policyOfForm = (form: PolicyForm): Members => {
  const condition = {
    cypher: form.cypher,
    ...member("filter", parseField(form.filter)),
    ...(form.kind === "queries" && member("token_filter", parseField(form.tokenFilter))),
  };
  const head = { meta: { policy_version: form.version }, subject: { type: form.subject } };
  if (form.kind === "decisions")
    return { ...head, actions: form.actions, resource: { type: form.resource }, condition };
  const allowed = parseField(form.allowed);
  return { ...head, condition, ...(isObject(allowed) && allowed) };
};

/** @returns undefined while a field is not valid JSON. */
export const textOfForm = (form: PolicyForm): string | undefined =>
  Object.keys(invalidFields(form)).length === 0 ? printJson(policyOfForm(form)) : undefined;

/** @returns undefined for a text that the fields cannot hold without a loss. */
export const formOfText = (text: string): PolicyForm | undefined => {
  const policy = objectOf(text);
  if (policy === undefined) return undefined;
  const { meta, subject, actions, resource, condition } = policy;
  const version = textOf(isObject(meta) ? meta["policy_version"] : undefined);
  const kind = version.endsWith("-ciq") ? "queries" : "decisions";
  const { cypher, filter, token_filter: tokenFilter } = isObject(condition) ? condition : {};
  const lists = Object.entries(policy).filter(([name]) => allowedLists.has(name));
  const form: PolicyForm = {
    kind,
    version,
    subject: typeOf(subject),
    actions: Array.isArray(actions) ? actions.map(textOf) : [],
    resource: typeOf(resource),
    cypher: textOf(cypher),
    filter: printJson(filter),
    tokenFilter: printJson(tokenFilter),
    allowed: lists.length === 0 ? "" : printJson(Object.fromEntries(lists)),
  };
  return isSameJson(policyOfForm(form), policy) ? form : undefined;
};
