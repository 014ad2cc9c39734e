import { type AgentCaller, type Permission, Problem } from "@ikg/contracts";

/** The permission for explanations. */
const explaining: Permission = "ReadAuthZConfigs";

/** True for an agent that may read the content of policies. */
export const mayExplain = ({ permissions }: Pick<AgentCaller, "permissions">): boolean =>
  permissions.includes(explaining);

/**
 * Checks `X-Explain` against the permissions of the agent: explanations show the content of policies.
 *
 * @throws Problem "permission_missing" (403).
 */
export const requireExplain = ({
  explain,
  caller,
}: {
  readonly explain: boolean;
  readonly caller: AgentCaller;
}): void => {
  if (explain && !mayExplain(caller))
    throw new Problem("permission_missing", { message: `permission missing: ${explaining}` });
};
