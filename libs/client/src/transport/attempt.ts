import { errorOfResponse } from "../errors/error-of-response.ts";
import { IkgUnreachable } from "../errors/ikg-unreachable.ts";
import type { Connection } from "./options.ts";

/** What one attempt sends. */
export interface PreparedRequest {
  readonly url: string;
  readonly init: RequestInit;
}

const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  // Where no address of a host can be reached, the cause stands for all of them: it has a code and no message.
  const reason = cause.message || ("code" in cause ? String(cause.code) : cause.name);
  return `${error.message}: ${reason}`;
};

/**
 * Runs a step of an attempt.
 *
 * @throws the reason of the signal if that ended it, else IkgUnreachable "connection".
 */
export const reaching = async <T>(url: string, signal: AbortSignal, step: () => Promise<T>): Promise<T> => {
  try {
    return await step();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const { origin } = new URL(url);
    throw new IkgUnreachable("connection", `no response of ${origin}: ${causeOf(error)}`, error);
  }
};

/**
 * Sends a request once.
 *
 * @returns the response of a success, its body unread.
 * @throws IkgError for an error response, IkgUnreachable without a response or for a redirect, which is never followed: it
 *   would carry credentials to another address.
 */
export const attempt = async (
  { fetch }: Connection,
  { url, init }: PreparedRequest,
  signal: AbortSignal,
): Promise<Response> => {
  const response = await reaching(url, signal, () => fetch(url, { ...init, redirect: "manual", signal }));
  if (response.ok) return response;
  const text = await reaching(url, signal, () => response.text());
  if (response.status >= 400) throw errorOfResponse(response, text);
  const { origin } = new URL(url);
  throw new IkgUnreachable(
    "invalid_response",
    `${origin} redirects (status ${response.status}), which is not followed; check baseUrl`,
  );
};
