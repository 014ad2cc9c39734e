/** A parameter of a challenge: a token or a quoted string (RFC 9110, section 11.2). */
const parameter = /([a-z][a-z0-9_]*)=(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gi;

/**
 * The parameters of a `WWW-Authenticate` header with the scheme Bearer.
 *
 * @returns undefined for another scheme or none.
 */
export const bearerChallenge = (header: string | null): Record<string, string> | undefined => {
  if (header === null || !/^bearer(\s|$)/i.test(header)) return undefined;
  const parameters = [...header.matchAll(parameter)].map(
    ([, name = "", quoted, token = ""]) => [name, quoted?.replaceAll(/\\(.)/g, "$1") ?? token] as const,
  );
  return Object.fromEntries(parameters);
};

/** Text as it may stand in a quoted string of a challenge; everything else is a space. */
const challengeText = (text: string): string => text.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, " ");

/** The value of `WWW-Authenticate` for these parameters. */
export const formatChallenge = (parameters: Readonly<Record<string, string>>): string => {
  const parts = Object.entries(parameters).map(([name, value]) => `${name}="${challengeText(value)}"`);
  return parts.length === 0 ? "Bearer" : `Bearer ${parts.join(", ")}`;
};
