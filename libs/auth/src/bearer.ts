import { Problem } from "@ikg/contracts";
import type { HeaderList } from "./header-list.ts";

/** The credentials form of RFC 6750, section 2.1. */
const tokenForm = /^[A-Za-z0-9\-._~+/]+=*$/;

/** Values of every Authorization header, in order. Node keeps only the first of several in `headers`. */
export const authorizationValues = (rawHeaders: Readonly<HeaderList>): string[] => {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 13 && name.toLowerCase() === "authorization") values.push(rawHeaders[i + 1] ?? "");
  }
  return values;
};

/**
 * 400 for a request whose way of sending a token is wrong (RFC 6750, section 3.1, `invalid_request`).
 *
 * @param detail what is wrong with the Authorization header; nothing of its value.
 */
export const malformedBearer = (detail: string): Problem =>
  new Problem("malformed_bearer", {
    errors: [`Authorization: ${detail}`],
    headers: { "WWW-Authenticate": 'Bearer error="invalid_request"' },
  });

/**
 * The bearer token of a request, or undefined when none was sent (RFC 6750, section 2.1). A header of another scheme is
 * no bearer.
 *
 * @throws Problem `malformed_bearer` (400) for two headers or a bearer that is syntactically broken.
 */
export const bearerOf = (rawHeaders: Readonly<HeaderList>): string | undefined => {
  const values = authorizationValues(rawHeaders);
  if (values.length > 1) throw malformedBearer("sent more than once");
  const value = values[0];
  if (value === undefined || value === "") return undefined;
  const scheme = /^bearer(?: +|$)/i.exec(value);
  if (scheme === null) return undefined;
  const token = value.slice(scheme[0].length);
  if (token === "") throw malformedBearer("no token after Bearer");
  if (!tokenForm.test(token))
    throw malformedBearer("what follows Bearer is not a token (RFC 6750, section 2.1)");
  return token;
};
