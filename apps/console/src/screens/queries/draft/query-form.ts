import {
  isObject,
  isSameJson,
  type Members,
  objectOf,
  parseField,
  printJson,
  textOf,
  jsonError,
} from "../../../text/json.ts";

/** A stored query as fields of a form. What the fields cannot hold is not a form, and is edited as JSON. */
export interface QueryForm {
  readonly nodes: readonly string[];
  readonly relationships: readonly string[];
  readonly aggregate_values: readonly string[];
  /** JSON; empty for none. */
  readonly filter: string;
  /** JSON lists of what is written; empty for none. */
  readonly upsert_nodes: string;
  readonly upsert_relationships: string;
  readonly delete_nodes: readonly string[];
  readonly delete_relationships: readonly string[];
  readonly batch_read: boolean;
}

/** The fields that list paths. */
export type PathList =
  | "nodes"
  | "relationships"
  | "aggregate_values"
  | "delete_nodes"
  | "delete_relationships";

const upsertLists = ["upsert_nodes", "upsert_relationships"] as const;

export type UpsertList = (typeof upsertLists)[number];

type QueryJsonField = "filter" | UpsertList;

const jsonFields: readonly QueryJsonField[] = ["filter", ...upsertLists];

export const emptyForm: QueryForm = {
  nodes: [],
  relationships: [],
  aggregate_values: [],
  filter: "",
  upsert_nodes: "",
  upsert_relationships: "",
  delete_nodes: [],
  delete_relationships: [],
  batch_read: false,
};

/** The fields that do not contain valid JSON. */
export const invalidFields = (form: QueryForm): Readonly<Partial<Record<QueryJsonField, string>>> =>
  Object.fromEntries(
    jsonFields.flatMap((name) => {
      const error = jsonError(form[name]);
      return error === undefined ? [] : [[name, error] as const];
    }),
  );

/** The query that the fields say; absent lists are left out. @throws SyntaxError for a field of `invalidFields` */
const queryOfForm = (form: QueryForm): Members => {
  const members: Record<string, unknown> = {};
  const names = ["nodes", "relationships", "aggregate_values", "filter", ...upsertLists] as const;
  for (const name of [...names, "delete_nodes", "delete_relationships"] as const) {
    const value = form[name];
    const member = typeof value === "string" ? parseField(value) : value;
    if (member !== undefined && !(Array.isArray(value) && value.length === 0)) members[name] = member;
  }
  return form.batch_read ? { ...members, batch_read: true } : members;
};

/** @returns undefined while a field is not valid JSON. */
export const textOfForm = (form: QueryForm): string | undefined =>
  Object.keys(invalidFields(form)).length === 0 ? printJson(queryOfForm(form)) : undefined;

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(textOf) : []);

/** @returns undefined for a text that the fields cannot hold without a loss. */
export const formOfText = (text: string): QueryForm | undefined => {
  const query = objectOf(text);
  if (query === undefined) return undefined;
  const form: QueryForm = {
    nodes: textsOf(query["nodes"]),
    relationships: textsOf(query["relationships"]),
    aggregate_values: textsOf(query["aggregate_values"]),
    filter: printJson(query["filter"]),
    upsert_nodes: printJson(query["upsert_nodes"]),
    upsert_relationships: printJson(query["upsert_relationships"]),
    delete_nodes: textsOf(query["delete_nodes"]),
    delete_relationships: textsOf(query["delete_relationships"]),
    batch_read: query["batch_read"] === true,
  };
  return isSameJson(queryOfForm(form), query) ? form : undefined;
};

/** Entries of a list of upserts, as far as the text holds some. */
export const upsertsOf = (json: string): readonly Members[] => {
  try {
    const value = parseField(json);
    return Array.isArray(value) ? value.filter(isObject) : [];
  } catch {
    return [];
  }
};

/** What a query does, by its text; all false for invalid JSON. */
export const effectsOf = (
  text: string,
): { readonly writes: boolean; readonly deletes: readonly string[] } => {
  const query = objectOf(text) ?? {};
  const has = (name: string): boolean => {
    const list = query[name];
    return Array.isArray(list) && list.length > 0;
  };
  const deletes = [...textsOf(query["delete_nodes"]), ...textsOf(query["delete_relationships"])];
  return { writes: deletes.length > 0 || upsertLists.some(has), deletes };
};
