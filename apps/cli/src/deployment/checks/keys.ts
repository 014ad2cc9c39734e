import type { IkgAdmin } from "@ikg/client";
import { type Finding, ok, problem, warning } from "../finding.ts";

interface Key {
  readonly id: string;
  readonly display_name: string;
  readonly expire_time?: string | undefined;
}

const soonMs = 14 * 86_400_000;

const findingOf = ({ id, display_name, expire_time }: Key, command: string): readonly Finding[] => {
  if (expire_time === undefined) return [];
  const left = Date.parse(expire_time) - Date.now();
  const check = `key ${display_name}`;
  if (left <= 0)
    return [problem(check, `expired ${expire_time}`, `${command} revoke ${id}, and create another one`)];
  if (left > soonMs) return [];
  return [warning(check, `expires ${expire_time}`, "create another one before: ikg keys create")];
};

/** Keys that are expired, or soon will be. */
export const checkKeys = async (admin: IkgAdmin): Promise<readonly Finding[]> => {
  const [agents, accounts] = await Promise.all([
    admin.agentCredentials.list(),
    admin.serviceAccountCredentials.list(),
  ]);
  const findings = [
    ...agents.flatMap((key) => findingOf(key, "ikg keys")),
    ...accounts.flatMap((key) => findingOf(key, "ikg keys --service-account")),
  ];
  return findings.length > 0
    ? findings
    : [ok("keys", `${agents.length + accounts.length}, none expires soon`)];
};
