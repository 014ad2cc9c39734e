import type { GlobalOptions } from "../program/global-options.ts";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";
import type { StoredContext } from "./context-file.ts";
import { contextNamed, contextsOf, type NamedContext } from "./contexts.ts";

/** The address and credentials of a command. */
export interface Connection extends StoredContext {
  /** The name of the context, if its address is used. */
  readonly name?: string | undefined;
}

/** The values of one source. */
type Known = { readonly [Field in keyof StoredContext]?: StoredContext[Field] | undefined };

/** Whether two addresses are the same deployment: a slash at the end makes no difference. */
export const sameAddress = (one: string | undefined, other: string): boolean =>
  one !== undefined && one.replace(/\/+$/, "") === other.replace(/\/+$/, "");

/** The values of environment variables. */
const ofVariables = ({ variables }: CommandEnvironment): Known => ({
  url: variables["IKG_URL"],
  token: variables["IKG_TOKEN"] ?? variables["IKG_SERVICE_ACCOUNT_TOKEN"],
  clientKey: variables["IKG_CLIENT_KEY"],
  project: variables["IKG_PROJECT"],
});

/** The first value of each field. */
const merged = (sources: readonly Known[]): Omit<StoredContext, "url"> => {
  const first = (field: Exclude<keyof StoredContext, "person">): string | undefined =>
    sources.map((each) => each[field]).find((value) => value !== undefined);
  return {
    organization: first("organization"),
    project: first("project"),
    token: first("token"),
    clientKey: first("clientKey"),
    person: sources.map(({ person }) => person).find((value) => value !== undefined),
  };
};

/**
 * Determines the deployment of a command by options, variables or the current context, in this order. Credentials are only sent to
 * their own address: those of a context to its address, those of variables to `IKG_URL`, or without it to the context that is
 * current without options. Without either, they belong to `--url`.
 *
 * @throws CommandFault if there is no address.
 */
export const connectionOf = (
  options: Partial<GlobalOptions>,
  environment: CommandEnvironment,
): Connection => {
  const variables = ofVariables(environment);
  const contexts = contextsOf(environment);
  const chosenBy = (name: string | undefined): NamedContext | undefined =>
    name === undefined ? contexts.current : contextNamed(contexts, name);
  const surrounding = chosenBy(environment.variables["IKG_CONTEXT"]);
  const chosen = options.context === undefined ? surrounding : chosenBy(options.context);
  const isNamed = options.context !== undefined;
  const url = options.url ?? (isNamed ? chosen?.context.url : (variables.url ?? chosen?.context.url));
  if (url === undefined)
    throw new CommandFault(
      "no deployment: use --url, IKG_URL or ikg context add, or run npm start in this folder",
    );
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandFault(`${url} is not an http or https address`);
  const ofContext = sameAddress(chosen?.context.url, url) ? chosen : undefined;
  const stored = ofContext === undefined ? [] : [ofContext.context];
  const given = sameAddress(variables.url ?? surrounding?.context.url ?? url, url) ? [variables] : [];
  const sources = isNamed ? [...stored, ...given] : [...given, ...stored];
  const known = merged(sources);
  // An explicit token takes precedence over the signed-in user.
  const first = sources.find(({ token, person }) => token !== undefined || person !== undefined);
  return {
    ...known,
    person: first?.person,
    url,
    name: ofContext?.name,
    project: options.project ?? known.project,
  };
};
