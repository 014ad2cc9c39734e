import { retryAfterSeconds } from "../transport/retry-after.ts";
import { bearerChallenge } from "./challenge.ts";
import { codeOf } from "./code-of.ts";
import { type ErrorDetails, IkgError } from "./ikg-error.ts";
import { StepUpRequired } from "./step-up-required.ts";

/** What a response has besides its body. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
}

interface Envelope {
  readonly message?: unknown;
  readonly errors?: unknown;
}

const envelopeOf = (text: string): Envelope => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
};

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];

/** The error that a response with a status of 400 or more stands for. */
export const errorOfResponse = ({ status, headers }: ResponseHead, text: string): IkgError => {
  const envelope = envelopeOf(text);
  const errors = textsOf(envelope.errors);
  const message = typeof envelope.message === "string" ? envelope.message : `HTTP status ${status}`;
  const challenge = bearerChallenge(headers.get("www-authenticate"));
  const isStepUp = challenge?.["error"] === "insufficient_user_authentication";
  const stated = headers.get("x-error-code") ?? (isStepUp ? "token_filter_failed" : null);
  const details: ErrorDetails = {
    code: codeOf(status, stated, message, errors),
    status,
    message,
    errors,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfter: retryAfterSeconds(headers.get("retry-after")),
  };
  return details.code === "token_filter_failed"
    ? new StepUpRequired(details, challenge ?? {})
    : new IkgError(details);
};
