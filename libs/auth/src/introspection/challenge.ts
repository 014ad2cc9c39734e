import { Problem } from "@ikg/contracts";

const maxDescription = 200;

/** Text as it may stand in a quoted string of a challenge (RFC 6750, section 3); everything else is a space. */
export const challengeText = (text: string): string =>
  text.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, " ").slice(0, maxDescription);

/**
 * A `WWW-Authenticate` value of the scheme Bearer. Names are fixed or were validated when they were saved; values may come
 * from authors of policies.
 */
export const bearerChallenge = (parameters: Readonly<Record<string, string>>): string => {
  const parts = Object.entries(parameters).map(([name, value]) => `${name}="${challengeText(value)}"`);
  return parts.length === 0 ? "Bearer" : `Bearer ${parts.join(", ")}`;
};

/** 401 for a bearer token that was refused. The reason is a fixed text, so no part of the token is echoed. */
export const bearerRefused = (reason: string, cause?: unknown): Problem =>
  new Problem("bearer_invalid", {
    message: `bearer token not valid: ${reason}`,
    headers: { "WWW-Authenticate": bearerChallenge({ error: "invalid_token", error_description: reason }) },
    cause,
  });

/** 401 for a call that needs the end user's token and came without. */
export const bearerRequired = (realm: string): Problem =>
  new Problem("bearer_required", { headers: { "WWW-Authenticate": bearerChallenge({ realm }) } });

/** 503 for a bearer token that could not be verified because its issuer is unavailable. */
export const bearerCheckUnavailable = (cause: unknown): Problem =>
  new Problem("unavailable", {
    message: "the token could not be checked now",
    headers: { "Retry-After": "5" },
    cause,
  });
