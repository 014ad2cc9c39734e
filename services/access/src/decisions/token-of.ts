import type { Token } from "@ikg/auth";

/** A token with these claims, as if it had been introspected. */
export const tokenOf = (claims: Readonly<Record<string, unknown>>): Token => ({
  subject: typeof claims["sub"] === "string" ? claims["sub"] : "",
  claims,
  // Nothing was introspected: no configuration and no node stand behind it.
  configId: "",
  nodeType: "",
});
