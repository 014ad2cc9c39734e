import { connectionOf } from "../../connection/connection.ts";
import { readContextFile, writeContextFile } from "../../connection/context-file.ts";
import type { CommandModule, Invocation } from "../../program/command-module.ts";
import { signInByDevice } from "../../sign-in/device-flow.ts";
import { signInByBrowser } from "../../sign-in/loopback-flow.ts";
import type { PersonToken } from "../../sign-in/request-tokens.ts";
import { findSignInServer, type SignInServer } from "../../sign-in/sign-in-server.ts";
import { CommandFault } from "../../surroundings.ts";

interface Options {
  readonly browser?: true;
}

type Called = Invocation<[], Options>;

const signIn = (server: SignInServer, { options, around }: Called): Promise<PersonToken> => {
  const { deviceEndpoint, authorizationEndpoint, issuer } = server;
  const signal = around.interruption();
  if (options.browser !== true && deviceEndpoint !== undefined)
    return signInByDevice(server, deviceEndpoint, around.error, signal);
  if (authorizationEndpoint !== undefined)
    return signInByBrowser(server, authorizationEndpoint, around.error, signal);
  throw new CommandFault(`${issuer} has neither a device flow nor an authorization endpoint`);
};

/** The name under which an address is kept that no context has yet. */
const nameOf = (url: string): string => new URL(url).hostname.replaceAll(/[^A-Za-z0-9.-]/g, "-");

/** `ikg login`. */
export const command: CommandModule<[], Options> = {
  description: [
    "Signs a person in who administers, where the deployment has people (OIDC_ISSUER). The code that is shown is confirmed in any browser, also of another machine (device flow); --browser uses the browser of this one, which comes back by itself. Providers without a device flow are signed in to by the browser.",
    "The access token is kept in the context (mode 600), goes before the token of a service account there, and is renewed while the provider allows it. IKG_TOKEN goes before both.",
  ],
  examples: [
    {
      does: "A deployment that has service accounts alone says so",
      command: "ikg login",
      exits: 2,
    },
  ],
  configure: (command) =>
    void command.option("--browser", "uses the browser of this machine, without a code"),
  run: async (called) => {
    const { options, around, print } = called;
    const { name, url, ...context } = connectionOf(options, around);
    const person = await signIn(await findSignInServer(url), called);
    const { IkgAdmin } = await import("@ikg/client");
    // A person without any role learns it now.
    const { id: organization } = await new IkgAdmin({
      baseUrl: url,
      token: person.accessToken,
    }).organization();
    const kept = name ?? nameOf(url);
    const file = readContextFile(around);
    writeContextFile(around, {
      current: file.current ?? kept,
      contexts: {
        ...file.contexts,
        [kept]: { ...(name === undefined ? {} : context), url, ...file.contexts[kept], organization, person },
      },
    });
    await print.text(`You are signed in to ${url}; the context ${kept} keeps it.\n`, { context: kept, url });
  },
};
