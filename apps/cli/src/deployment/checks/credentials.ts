import type { Connection } from "../../connection/connection.ts";
import { type Finding, ok, problem, warning } from "../finding.ts";
import { addressOf, probe } from "../probe.ts";

const checkToken = async (connection: Connection): Promise<Finding> => {
  const { token } = connection;
  if (token === undefined)
    return warning(
      "token",
      "none",
      "IKG_TOKEN, or ikg context add --token-file; without it nothing is administered",
    );
  const headers = { Authorization: `Bearer ${token}` };
  const { status } = await probe(addressOf(connection, "/configs/v1/organizations/current"), { headers });
  if (status === 200) return ok("token", "accepted");
  if (status === 401)
    return problem("token", "not accepted", "create another one: ikg keys create --service-account NAME");
  return problem("token", `configs answers ${status ?? "nothing"}`, "see ikg status");
};

const checkKey = async (connection: Connection): Promise<Finding> => {
  const { clientKey } = connection;
  if (clientKey === undefined)
    return warning(
      "client key",
      "none",
      "IKG_CLIENT_KEY, or ikg keys create AGENT --save; without it nothing is asked",
    );
  const { status } = await probe(addressOf(connection, "/access/v1/evaluation"), {
    method: "POST",
    headers: { "X-SVC-ClientKey": clientKey, "Content-Type": "application/json" },
    body: "{}",
  });
  // The question is empty: that this is what is wrong says that the key is right.
  if (status === 400 || status === 422) return ok("client key", "accepted");
  if (status === 403)
    return warning(
      "client key",
      "without the permission Authorization",
      "ikg update agents NAME --set api_permissions=…",
    );
  if (status === 401)
    return problem("client key", "not accepted", "create another one: ikg keys create AGENT");
  return problem("client key", `access answers ${status ?? "nothing"}`, "see ikg status");
};

export const checkCredentials = (connection: Connection): Promise<readonly Finding[]> =>
  Promise.all([checkToken(connection), checkKey(connection)]);
