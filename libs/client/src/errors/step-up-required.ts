import { type ErrorDetails, IkgError } from "./ikg-error.ts";

/** What a stronger token needs, by the parameters of the challenge (RFC 9470): `max_age`, `acr_values`, `scope` and others. */
export type Advice = Readonly<Record<string, string>>;

/** The person has to sign in again, or more strongly: the token is valid and does not satisfy the policy. */
export class StepUpRequired extends IkgError {
  override readonly name = "StepUpRequired";
  /** Parameters of the challenge, `error` and `error_description` included. */
  readonly advice: Advice;

  constructor(details: ErrorDetails, advice: Advice) {
    super(details);
    this.advice = advice;
  }
}
