import type { AgentCaller } from "@ikg/contracts";
import type { Introspection } from "./introspection/introspect.ts";
import type { IntrospectedProject, Judged, Token } from "./introspection/types.ts";

/**
 * The end user's token of a call: what the internal context says of it, when another service has introspected it and
 * keeps it to itself, else the bearer, introspected now. Undefined when neither came.
 *
 * @throws Problem what `Introspection.introspect` throws.
 */
export const callersToken = async (
  introspection: Introspection,
  { user }: AgentCaller,
  bearer: string | undefined,
  project: IntrospectedProject,
  judged?: Judged,
): Promise<Token | undefined> => {
  if (user !== undefined) return user;
  return bearer === undefined ? undefined : introspection.introspect(bearer, project, Date.now(), judged);
};
