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

/**
 * Seconds of a `Retry-After` header, which has a number of seconds or a date (RFC 9110, section 10.2.3).
 *
 * @returns undefined when the header is absent or has neither.
 */
export const retryAfterSeconds = (header: string | null, now: number = Date.now()): number | undefined => {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text);
  // Every form of a date begins with a day of the week; `Date.parse` takes much else for one.
  const date = /^[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
};

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
