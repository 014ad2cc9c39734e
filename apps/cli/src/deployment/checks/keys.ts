import type { IkgAdmin } from "@ikg/client";
import type { Connection } from "../../connection/connection.ts";
import { type Finding, ok, problem, warning } from "../finding.ts";

interface Key {
  readonly kid: string;
  readonly display_name: string;
  readonly expire_time?: string | undefined;
}

/** An agent or a service account, with its keys. */
interface Holder {
  readonly title: string;
  /** The command that creates another key. */
  readonly remedy: string;
  readonly keys: readonly Key[];
}

const soonMs = 14 * 86_400_000;

const leftMs = (expires: string): number => Date.parse(expires) - Date.now();

/** The public part of a key, by which its record is found. */
const kidOf = (key: string | undefined): string | undefined =>
  /^(?:ak1|sa1)_([0-9a-z]{16})_/.exec(key ?? "")?.[1];

const keyInUse = ({ display_name, expire_time }: Key, remedy: string): readonly Finding[] => {
  if (expire_time === undefined || leftMs(expire_time) > soonMs) return [];
  const check = `key ${display_name} (used here)`;
  return leftMs(expire_time) <= 0
    ? [problem(check, `expired ${expire_time}`, remedy)]
    : [warning(check, `expires ${expire_time}`, `create a new one before: ${remedy}`)];
};

/** Expired keys do not matter if another key is valid. */
const keysOfHolder = ({ title, remedy, keys }: Holder): readonly Finding[] => {
  const ends = keys.flatMap(({ expire_time = [] }) => expire_time);
  const last = ends.toSorted((one, other) => leftMs(one) - leftMs(other)).at(-1);
  if (last === undefined || ends.length < keys.length || leftMs(last) > soonMs) return [];
  return leftMs(last) <= 0
    ? [warning(title, `all keys have expired, the last one ${last}`, `if it is still needed: ${remedy}`)]
    : [warning(title, `its last key expires ${last}`, `create a new one before: ${remedy}`)];
};

const holdersOf = async (admin: IkgAdmin): Promise<readonly Holder[]> => {
  const [agents, keys, accounts, tokens] = await Promise.all([
    admin.agents.list(),
    admin.agentCredentials.list(),
    admin.serviceAccounts.list(),
    admin.serviceAccountCredentials.list(),
  ]);
  return [
    ...agents.map(({ id, name }) => ({
      title: `agent ${name}`,
      remedy: `ikg keys create ${name}`,
      keys: keys.filter((key) => key.application_agent_id === id),
    })),
    ...accounts.map(({ id, name }) => ({
      title: `service account ${name}`,
      remedy: `ikg keys create --service-account ${name}`,
      keys: tokens.filter((key) => key.service_account_id === id),
    })),
  ];
};

/** Checks the keys of this connection, and finds holders whose keys have all expired or will expire soon. */
export const checkKeys = async (
  admin: IkgAdmin,
  { clientKey, token }: Pick<Connection, "clientKey" | "token">,
): Promise<readonly Finding[]> => {
  const kids = new Set([kidOf(clientKey), kidOf(token)]);
  const holders = await holdersOf(admin);
  const findings = holders.flatMap((holder) => {
    const own = holder.keys.filter(({ kid }) => kids.has(kid));
    const found = own.flatMap((key) => keyInUse(key, holder.remedy));
    return found.length > 0 ? found : keysOfHolder(holder);
  });
  if (findings.length > 0) return findings;
  const count = holders.reduce((sum, { keys }) => sum + keys.length, 0);
  return [ok("keys", `${count}, none in use expires soon`)];
};
