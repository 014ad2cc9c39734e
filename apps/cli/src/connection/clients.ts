import type { Ikg, IkgAdmin } from "@ikg/client";
import type { Invocation } from "../program/command-module.ts";
import { freshToken } from "../sign-in/renew.ts";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";
import { type Connection, connectionOf } from "./connection.ts";

type Call = Pick<Invocation, "options" | "environment">;

/** What a command waits for a response; a person rather learns the outcome than how long it took. */
const defaultTimeoutSeconds = 40;

const timeoutOf = ({ options }: Call): number => (options.timeout ?? defaultTimeoutSeconds) * 1_000;

/**
 * Replaces the token of the service account with that of the signed-in user, if there is one.
 *
 * @throws CommandFault if the sign-in has expired.
 */
export const signedIn = async (
  connection: Connection,
  environment: CommandEnvironment,
): Promise<Connection> => {
  const { person, name } = connection;
  if (person === undefined || name === undefined) return connection;
  return { ...connection, token: await freshToken(environment, name, person) };
};

/** @throws CommandFault that explains how to provide a token. */
export const tokenOf = ({ token, url }: Connection): string => {
  if (token !== undefined) return token;
  throw new CommandFault(
    `no service account token for ${url}, and not signed in: use ikg login, IKG_TOKEN, or ikg context add --token-file FILE`,
  );
};

/** @throws CommandFault that explains how to provide a key. */
export const clientKeyOf = ({ clientKey, url }: Connection): string => {
  if (clientKey !== undefined) return clientKey;
  throw new CommandFault(
    `no application agent key for ${url}: use IKG_CLIENT_KEY, ikg context add --client-key-file FILE, or ikg keys create --save`,
  );
};

/** Opens the control plane as the signed-in user or the service account of the connection. */
export const openAdmin = async (call: Call, project?: string): Promise<IkgAdmin> => {
  const connection = await signedIn(connectionOf(call.options, call.environment), call.environment);
  const token = tokenOf(connection);
  const { IkgAdmin } = await import("@ikg/client");
  return new IkgAdmin({
    baseUrl: connection.url,
    token,
    project: project ?? connection.project,
    timeoutMs: timeoutOf(call),
  });
};

/** Opens the data plane as the application agent of the connection. */
export const openApplication = async (call: Call): Promise<Ikg> => {
  const connection = connectionOf(call.options, call.environment);
  const clientKey = clientKeyOf(connection);
  const { Ikg } = await import("@ikg/client");
  return new Ikg({ baseUrl: connection.url, clientKey, timeoutMs: timeoutOf(call) });
};
