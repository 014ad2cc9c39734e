export { authorizationValues, bearerOf, malformedBearer } from "./bearer.ts";
export { callersToken } from "./callers-token.ts";
export {
  type Credential,
  hashCredential,
  isAccountToken,
  isAgentKey,
  newCredential,
  parseCredential,
} from "./credential.ts";
export { type Credentials, openCredentials } from "./credentials.ts";
export { CredentialRejected } from "./credential-rejected.ts";
export type { HeaderList } from "./header-list.ts";
export {
  type CallTarget,
  type Endpoint,
  type InternalContext,
  internalContextHeader,
  mcpOriginHeader,
} from "./internal-context/context.ts";
export { type ContextHeaders, openContextHeaders } from "./internal-context/context-headers.ts";
export {
  formerContextHeader,
  signFormerContext,
  verifyFormerContext,
} from "./internal-context/former-context.ts";
export { mcpRouteOf } from "./internal-context/mcp-routes.ts";
export { mcpOriginOf, verifyMcpOrigin } from "./internal-context/mcp-origin.ts";
export { type McpCall, mcpCalls } from "./internal-context/mcp-calls.ts";
export { type SignContext, signInternalContext } from "./internal-context/sign-context.ts";
export { contextInvalid, verifyInternalContext } from "./internal-context/verify-context.ts";
export { bearerChallenge, bearerRequired } from "./introspection/challenge.ts";
export {
  type Introspection,
  type IntrospectionParts,
  type IntrospectionSettings,
  openIntrospection,
} from "./introspection/introspect.ts";
export { stepUpRequired, type UnmetDemand } from "./introspection/step-up.ts";
export { openLastUse, readLastUse } from "./last-use.ts";
export { type People, openPeople } from "./people/people.ts";
export type {
  IntrospectedProject,
  IntrospectionConfig,
  IntrospectionOutcome,
  OnIntrospected,
  OnlineValidation,
  Token,
} from "./introspection/types.ts";
