/** Clients of a suite under test, and the headers of requests that a test sends by itself. */
import { Ikg, IkgAdmin } from "@ikg/client";
import type { ClientEnvironment } from "./environment.ts";

/** Databases that have just started answer their first questions slowly, and services are too busy meanwhile. */
const connection = { timeoutMs: 60_000, repeatUnexecuted: true } as const;

type Account = Pick<ClientEnvironment, "base_url" | "service_account_token">;

/** The control plane, with the token of the service account. */
export const openAdmin = ({ base_url, service_account_token }: Account): IkgAdmin =>
  new IkgAdmin({ ...connection, baseUrl: base_url, token: service_account_token });

/** The data plane of a project, with the key of an agent. */
export const openIkg = (
  { base_url }: Pick<ClientEnvironment, "base_url">,
  { apiKey }: { readonly apiKey: string },
): Ikg => new Ikg({ ...connection, baseUrl: base_url, clientKey: apiKey });

export type RequestHeaders = Readonly<Record<string, string>>;

/** The headers of a service account. */
export const asServiceAccount = (token: string): RequestHeaders => ({ authorization: `Bearer ${token}` });

/** The headers of an agent, with or without a person's token. */
export const asAgent = (apiKey: string, bearer?: string): RequestHeaders => ({
  "x-svc-clientkey": apiKey,
  ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
});
