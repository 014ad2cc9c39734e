import { type AgentCaller, type Permission, Problem } from "@ikg/contracts";

/** What an agent needs to be told why (README decision 29). */
const explaining: Permission = "ReadAuthZConfigs";

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
  if (explain && !caller.permissions.includes(explaining))
    throw new Problem("permission_missing", { message: `permission missing: ${explaining}` });
};
