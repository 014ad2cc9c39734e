import type { StoredQuery } from "@ikg/catalog";
import type { Resource } from "@modelcontextprotocol/server";

export const scheme = "ikg://knowledge-queries/";
export const mimeType = "application/json";

/** What a model needs to know to call a knowledge query. */
export interface QueryDescription {
  readonly id: string;
  readonly name: string;
  readonly display_name?: string;
  readonly description?: string;
  readonly subject_type: string;
  readonly requires_user_token: boolean;
  readonly input_params: readonly string[];
  /** Paths of the values that a row has. */
  readonly returns: readonly string[];
  readonly writes: boolean;
}

const isFilled = (text: string | undefined): text is string => text !== undefined && text !== "";

/** Undefined for a query that its policy, as it is now, no longer allows: no call of it can succeed. */
export const describeQuery = (stored: StoredQuery): QueryDescription | undefined => {
  if (!stored.query.ok) return undefined;
  const { policy } = stored;
  const { needs, nodes, relationships, aggregates, writes } = stored.query.value;
  return {
    id: stored.id,
    name: stored.name,
    ...(isFilled(stored.displayName) ? { display_name: stored.displayName } : {}),
    ...(isFilled(stored.description) ? { description: stored.description } : {}),
    subject_type: policy.subjectType,
    requires_user_token:
      policy.subjectType !== "_Application" || policy.tokenFilter !== undefined || needs.readsToken,
    input_params: needs.parameters,
    returns: [...[...nodes, ...relationships].map(({ text }) => text), ...aggregates],
    writes: writes !== undefined,
  };
};

const uriOf = (gid: string): string => `${scheme}${encodeURIComponent(gid)}`;

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const usage = ({
  name,
  input_params: params,
  requires_user_token: requiresUser,
  writes,
}: QueryDescription): string =>
  [
    `Call the tool ciq_execute with id "${name}"` +
      (params.length === 0 ? " and no input_params." : ` and input_params: ${params.join(", ")}.`),
    requiresUser ? "Answers for the user whose token is sent." : "Needs no user's token.",
    ...(writes ? ["It writes to the graph."] : []),
  ].join(" ");

/** The entry of a query in the list of resources. */
export const resourceOf = (query: QueryDescription): Resource => ({
  uri: uriOf(query.id),
  name: query.name,
  ...(query.display_name === undefined ? {} : { title: query.display_name }),
  description:
    query.description === undefined ? usage(query) : `${sentence(query.description)} ${usage(query)}`,
  mimeType,
});
