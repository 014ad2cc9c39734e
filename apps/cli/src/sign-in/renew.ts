import { type ContextFile, readContextFile, writeContextFile } from "../connection/context-file.ts";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";
import { type PersonToken, requestTokens, TokenRefused } from "./request-tokens.ts";
import { audienceParameters } from "./sign-in-server.ts";

/** A token that expires within this time is renewed before it is used. */
const marginMs = 30_000;

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
  around: CommandEnvironment,
  name: string,
  person: PersonToken | undefined,
): void => writeContextFile(around, withPerson(readContextFile(around), name, person));

/**
 * The access token of the signed-in user, renewed if it has expired (RFC 6749, section 6).
 *
 * @throws CommandFault if it cannot be renewed and the user has to sign in again.
 */
export const freshToken = async (
  around: CommandEnvironment,
  name: string,
  person: PersonToken,
): Promise<string> => {
  if (isFresh(person)) return person.accessToken;
  const { refreshToken } = person;
  const again = "the sign-in has expired; run ikg login";
  if (refreshToken === undefined) throw new CommandFault(again);
  try {
    const renewed = await requestTokens(person, {
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      ...audienceParameters(person.audience),
    });
    storePerson(around, name, { refreshToken, ...renewed });
    return renewed.accessToken;
  } catch (error) {
    throw error instanceof TokenRefused ? new CommandFault(`${again} (${error.error})`) : error;
  }
};
