import {
  contextFilePath,
  type ContextFile,
  readContextFile,
  writeContextFile,
} from "../connection/context-file.ts";
import { withFileLock } from "../output/file-lock.ts";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";
import { type PersonToken, requestTokens, TokenRefused } from "./request-tokens.ts";
import { audienceParameters } from "./sign-in-server.ts";

/** A token that expires within this time is renewed before it is used. */
const marginMs = 30_000;

/** More than the request of a renewal takes at most (`postForm`). */
const renewalMs = 20_000;

const signInExpired = "the sign-in has expired; run ikg login";

const isFresh = ({ expires }: PersonToken): boolean =>
  expires === undefined || expires - Date.now() > marginMs;

const withPerson = (file: ContextFile, name: string, person: PersonToken | undefined): ContextFile => {
  const context = file.contexts[name];
  return context === undefined
    ? file
    : { ...file, contexts: { ...file.contexts, [name]: { ...context, person } } };
};

/** Stores the token of the signed-in user in a context; undefined removes it. */
export const storePerson = (
  environment: CommandEnvironment,
  name: string,
  person: PersonToken | undefined,
): void => writeContextFile(environment, withPerson(readContextFile(environment), name, person));

const storedPerson = (environment: CommandEnvironment, name: string): PersonToken | undefined =>
  readContextFile(environment).contexts[name]?.person;

const renew = async (environment: CommandEnvironment, name: string): Promise<string> => {
  // Another command may have renewed it, or signed out, while this one waited for the lock.
  const person = storedPerson(environment, name);
  if (person !== undefined && isFresh(person)) return person.accessToken;
  if (person?.refreshToken === undefined) throw new CommandFault(signInExpired);
  const { refreshToken, audience } = person;
  const form = { grant_type: "refresh_token", refresh_token: refreshToken, ...audienceParameters(audience) };
  try {
    const renewed = await requestTokens(person, form);
    // A sign-in or a sign-out meanwhile is newer.
    if (storedPerson(environment, name)?.refreshToken === refreshToken)
      storePerson(environment, name, { refreshToken, ...renewed });
    return renewed.accessToken;
  } catch (error) {
    throw error instanceof TokenRefused ? new CommandFault(`${signInExpired} (${error.error})`) : error;
  }
};

/**
 * The access token of the signed-in user, renewed if it has expired (RFC 6749, section 6). One command renews it at a time: many
 * providers accept a refresh token once, and revoke the sign-in where it comes again (RFC 9700, section 4.14).
 *
 * @throws CommandFault if it cannot be renewed and the user has to sign in again.
 */
export const freshToken = async (
  environment: CommandEnvironment,
  name: string,
  person: PersonToken,
): Promise<string> => {
  if (isFresh(person)) return person.accessToken;
  if (person.refreshToken === undefined) throw new CommandFault(signInExpired);
  return withFileLock(`${contextFilePath(environment)}.lock`, renewalMs, () => renew(environment, name));
};
