import type { Connection } from "../../connection/connection.ts";
import { type Finding, ok, problem, warning } from "../finding.ts";
import { addressOf, probe } from "../probe.ts";

const checkToken = async (connection: Connection): Promise<Finding> => {
  const { token } = connection;
  if (token === undefined)
    return warning(
      "token",
      "none",
      "set IKG_TOKEN, or use ikg context add --token-file; administration requires it",
    );
  const headers = { Authorization: `Bearer ${token}` };
  const { status } = await probe(addressOf(connection, "/configs/v1/organizations/current"), { headers });
  if (status === 200) return ok("token", "accepted");
  if (status === 401)
    return problem("token", "rejected", "create a new one with ikg keys create --service-account NAME");
  return problem("token", `configs responds with ${status ?? "nothing"}`, "run ikg status");
};

const checkKey = async (connection: Connection): Promise<Finding> => {
  const { clientKey } = connection;
  if (clientKey === undefined)
    return warning(
      "client key",
      "none",
      "set IKG_CLIENT_KEY, or use ikg keys create AGENT --save; decisions and queries require it",
    );
  const { status } = await probe(addressOf(connection, "/access/v1/evaluation"), {
    method: "POST",
    headers: { "X-SVC-ClientKey": clientKey, "Content-Type": "application/json" },
    body: "{}",
  });
  // The request is empty: an error about its content means that the key was accepted.
  if (status === 400 || status === 422) return ok("client key", "accepted");
  if (status === 403)
    return warning(
      "client key",
      "lacks the permission Authorization",
      "grant it with ikg update agents NAME --set api_permissions=…",
    );
  if (status === 401) return problem("client key", "rejected", "create a new one with ikg keys create AGENT");
  return problem("client key", `access responds with ${status ?? "nothing"}`, "run ikg status");
};

export const checkCredentials = (connection: Connection): Promise<readonly Finding[]> =>
  Promise.all([checkToken(connection), checkKey(connection)]);
