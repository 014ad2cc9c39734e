import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Answer } from "./downstream.ts";

/** A success: the same JSON for programs and as text, which is what most models are shown. */
export const succeeded = (content: Readonly<Record<string, unknown>>): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(content) }],
  structuredContent: { ...content },
});

export interface Failure {
  readonly status: number;
  readonly message: string;
  readonly errors?: readonly string[];
}

/** What a model can read and do better; never a word on how we work inside. */
export const failed = (failure: Failure & Readonly<Record<string, unknown>>): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(failure) }],
  isError: true,
});

export const unavailable = (status = 503): CallToolResult =>
  failed({ status, message: "temporarily unavailable" });

/** Parameters of a challenge that one of our services wrote: all values are quoted, none holds a quote. */
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

/** The refusal of a service as a result for a model. */
export const refused = ({ status, challenge, body }: Answer): CallToolResult => {
  if (status >= 500) return unavailable(status);
  const refusal = { status, ...envelopeOf(body) };
  if (status !== 401 || challenge === undefined) return failed(refusal);
  // Step-up: the user of the model gets the challenge as the REST call would have given it.
  const result = failed({ ...refusal, ...parametersOf(challenge), www_authenticate: challenge });
  return { ...result, _meta: { www_authenticate: challenge } };
};
