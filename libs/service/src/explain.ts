import { type AgentCaller, type Permission, Problem } from "@ikg/contracts";

/** What an agent needs to be told why. */
const explaining: Permission = "ReadAuthZConfigs";

/** True for an agent that may be told what policies say. */
export const mayExplain = ({ permissions }: Pick<AgentCaller, "permissions">): boolean =>
  permissions.includes(explaining);

/**
 * Holds what a call asks for against what its agent may: `X-Explain` shows what policies say.
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
