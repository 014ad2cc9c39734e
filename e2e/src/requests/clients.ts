import { Ikg, IkgAdmin, type SignedIn } from "@ikg/client";
import { environment } from "../environment.ts";
import type { Account } from "./account.ts";
import { ownAccount } from "./configs.ts";
import type { Credentials } from "./data-plane.ts";

/** Says so where 503 is answered: a machine that is not busy has no reason to. */
const reportUnavailable: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status === 503) process.stdout.write(`503 was answered: ${init?.method} ${response.url}\n`);
  return response;
};

/** Tests that are about 503 look at the answers themselves; all others wait until a busy machine comes back. */
const connection = () => ({
  baseUrl: environment().base_url,
  timeoutMs: 60_000,
  repeatUnexecuted: true,
  fetch: reportUnavailable,
});

/**
 * The control plane of the suite under test.
 *
 * @param project that calls are about.
 * @param account whose token is sent, by default that of the environment.
 */
export const openAdmin = (project?: string, { token }: Pick<Account, "token"> = ownAccount()): IkgAdmin =>
  new IkgAdmin({ ...connection(), token, project });

/** The data plane of the suite under test, with an agent's key. */
export const openIkg = ({ key }: Pick<Credentials, "key">): Ikg =>
  new Ikg({ ...connection(), clientKey: key });

/** Stored queries as the application, or as the user of a bearer token. */
export const openQueries = ({ key, bearer }: Credentials): Pick<SignedIn, "query" | "execute"> =>
  bearer === undefined ? openIkg({ key }) : openIkg({ key }).withToken(bearer);
