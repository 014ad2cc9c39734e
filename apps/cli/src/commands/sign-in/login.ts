import { connectionOf, sameAddress } from "../../connection/connection.ts";
import { readContextFile, type StoredContext, writeContextFile } from "../../connection/context-file.ts";
import { contextsOf } from "../../connection/contexts.ts";
import { shownCell } from "../../output/cell.ts";
import type { CommandModule, Invocation } from "../../program/command-module.ts";
import { signInByDevice } from "../../sign-in/device-flow.ts";
import { signInByBrowser } from "../../sign-in/loopback-flow.ts";
import type { PersonToken } from "../../sign-in/request-tokens.ts";
import { userName } from "../../sign-in/user-name.ts";
import { findSignInServer, type SignInServer } from "../../sign-in/sign-in-server.ts";
import { CommandFault, type CommandEnvironment } from "../../command-environment.ts";

interface Options {
  readonly browser?: true;
}

type Call = Invocation<[], Options>;

const signIn = (server: SignInServer, { options, environment }: Call): Promise<PersonToken> => {
  const { deviceEndpoint, authorizationEndpoint, issuer } = server;
  const signal = environment.interruption();
  if (options.browser !== true && deviceEndpoint !== undefined)
    return signInByDevice(server, deviceEndpoint, environment.error, signal);
  if (authorizationEndpoint !== undefined)
    return signInByBrowser(server, authorizationEndpoint, environment.error, signal);
  throw new CommandFault(`${issuer} has neither a device flow nor an authorization endpoint`);
};

/** The name of a new context for an address. */
const nameOf = (url: string): string => new URL(url).hostname.replaceAll(/[^A-Za-z0-9.-]/g, "-");

/** @throws CommandFault if it is that of another address, whose credentials would be sent to this one. */
const storedContext = (
  environment: CommandEnvironment,
  name: string,
  url: string,
): StoredContext | undefined => {
  const context = contextsOf(environment).all.find((each) => each.name === name)?.context;
  if (context === undefined || sameAddress(context.url, url)) return context;
  throw new CommandFault(
    `the context ${name} is that of ${context.url}; create another one for ${url} by ikg context add, then sign in with --context`,
  );
};

/** `ikg login`. */
export const command: CommandModule<[], Options> = {
  description: [
    "Signs in an administrator, if the deployment has an identity provider (OIDC_ISSUER). Shows a code to confirm in a browser on any machine (device flow); --browser opens the browser of this machine instead. The browser is also used for providers without a device flow.",
    "The access token is stored in the context (mode 600), takes precedence over its service account token, and is renewed as long as the provider allows it. IKG_TOKEN takes precedence over both.",
  ],
  examples: [
    {
      purpose: "Sign in; fails if the deployment has no identity provider",
      command: "ikg login",
      exits: 2,
    },
  ],
  configure: (command) =>
    void command.option("--browser", "sign in with the browser of this machine, without a code"),
  run: async (call) => {
    const { options, environment, print } = call;
    const { name, url } = connectionOf(options, environment);
    const kept = name ?? nameOf(url);
    // Before the sign-in, which takes its time.
    storedContext(environment, kept, url);
    const person = await signIn(await findSignInServer(url), call);
    const { IkgAdmin } = await import("@ikg/client");
    // Reports a missing role immediately.
    const { id: organization } = await new IkgAdmin({
      baseUrl: url,
      token: person.accessToken,
    }).organization();
    const user = userName(person);
    const file = readContextFile(environment);
    writeContextFile(environment, {
      current: file.current ?? kept,
      contexts: {
        ...file.contexts,
        // Read again: another command may have stored a key meanwhile. Credentials of variables are stored by ikg context add alone.
        [kept]: { ...storedContext(environment, kept, url), url, organization, person },
      },
    });
    await print.text(
      `You are signed in to ${url} as ${shownCell(user)}; the sign-in is stored in the context ${kept}.\n`,
      {
        context: kept,
        url,
        user,
      },
    );
  },
};
