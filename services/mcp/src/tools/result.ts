import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Answer } from "./downstream.ts";

/** The result of a successful call: the same JSON as structured content and as text, which most clients show to the model. */
export const successResult = (content: Readonly<Record<string, unknown>>): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(content) }],
  structuredContent: { ...content },
});

export interface Failure {
  readonly status: number;
  readonly message: string;
  readonly errors?: readonly string[];
}

/** The result of a failed call, without internal details. */
export const errorResult = (failure: Failure & Readonly<Record<string, unknown>>): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(failure) }],
  isError: true,
});

/** The result of a call that could not be served; clients may repeat it. */
export const unavailableResult = (status = 503): CallToolResult =>
  errorResult({ status, message: "temporarily unavailable" });

/** Parameters of a challenge of a service of the suite: all values are quoted, and none contains a quote. */
const parametersOf = (challenge: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...challenge.matchAll(/([a-z][a-z0-9_]*)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );

const envelopeOf = (body: unknown): { readonly message: string; readonly errors?: readonly string[] } => {
  const { message, errors } = body as { message?: unknown; errors?: unknown }; // the envelope of every error
  return {
    message: typeof message === "string" ? message : "",
    ...(Array.isArray(errors) ? { errors: errors.map(String) } : {}),
  };
};

/** The error response of a service as the result of a call. */
export const serviceErrorResult = ({ status, challenge, body }: Answer): CallToolResult => {
  if (status >= 500) return unavailableResult(status);
  const refusal = { status, ...envelopeOf(body) };
  if (status !== 401 || challenge === undefined) return errorResult(refusal);
  // Step-up (RFC 9470): the client gets the challenge as with a REST call.
  const result = errorResult({ ...refusal, ...parametersOf(challenge), www_authenticate: challenge });
  return { ...result, _meta: { www_authenticate: challenge } };
};
