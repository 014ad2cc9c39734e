export { bearerOf, malformedBearer } from "./bearer.ts";
export { callersToken } from "./callers-token.ts";
export {
  type Credential,
  type CredentialPrefix,
  hashCredential,
  isAccountToken,
  isAgentKey,
  newCredential,
  parseCredential,
} from "./credential.ts";
export { type AuthLog, type Credentials, openCredentials } from "./credentials.ts";
export { CredentialRejected } from "./credential-rejected.ts";
export {
  type InternalContext,
  internalContextHeader,
  type SignContext,
  signInternalContext,
  verifyInternalContext,
} from "./internal-context.ts";
export {
  bearerChallenge,
  bearerNotJudged,
  bearerRefused,
  bearerRequired,
} from "./introspection/challenge.ts";
export {
  type Introspection,
  type IntrospectionParts,
  type IntrospectionSettings,
  openIntrospection,
} from "./introspection/introspect.ts";
export { type StepUp, stepUpOf, stepUpRequired, type UnmetDemand } from "./introspection/step-up.ts";
export { openLastUse, readLastUse } from "./last-use.ts";
export { type People, type PeoplesIssuer, openPeople } from "./people/people.ts";
export type {
  IntrospectedProject,
  IntrospectionConfig,
  Judged,
  Judgement,
  OnlineValidation,
  Token,
} from "./introspection/types.ts";
