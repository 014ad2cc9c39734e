import { describe, expect, it } from "@jest/globals";
import type { Token } from "@ikg/auth";
import type { McpSettings } from "../settings.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";
import { openScopes } from "./scopes.ts";

type Claims = Token["claims"];

const withoutScopes = {
  MCP_REQUIRED_SCOPES: [],
  MCP_REQUIRED_SCOPES_AUTHZEN_EVALUATE: [],
  MCP_REQUIRED_SCOPES_CIQ_EXECUTE: [],
};
const withScopes = {
  ...withoutScopes,
  MCP_REQUIRED_SCOPES: ["cars"],
  MCP_REQUIRED_SCOPES_CIQ_EXECUTE: ["people"],
};
const endpoint = { metadataUrl: "https://ikg.example/metadata" };

/** The challenge to a call; undefined where the token has every scope that the call needs. */
const challengeTo = (settings: object, claims: Claims, tool?: string): unknown => {
  const check = openScopes(settings as McpSettings); // all that is read
  const user: Token = { subject: "ann", claims, configId: "c", nodeType: "Person" };
  try {
    check(endpoint as McpEndpoint, user, tool); // all that is read
    return undefined;
  } catch (error) {
    return error;
  }
};

describe("the scopes that a deployment requires", () => {
  it.each<[Claims, string | undefined]>([
    [{ scope: "openid cars" }, undefined],
    [{ scp: ["cars"] }, undefined],
    [{ scope: "cars" }, "authzen_evaluate"],
    [{ scope: "people cars" }, "ciq_execute"],
    [{ scope: "cars", scp: ["people"] }, "ciq_execute"],
    [{ scope: "cars" }, "constructor"],
  ])("are granted by %j for the tool %s", (claims, tool) => {
    expect(challengeTo(withScopes, claims, tool)).toBeUndefined();
  });

  it.each<[Claims, string | undefined, string]>([
    [{}, undefined, "cars"],
    [{ scope: "carsharing" }, undefined, "cars"],
    [{ scope: { cars: true } }, undefined, "cars"],
    [{ scp: [["cars"]] }, undefined, "cars"],
    [{ scope: "people" }, "authzen_evaluate", "cars"],
    [{ scope: "cars" }, "ciq_execute", "cars people"],
    [{ scope: "people" }, "ciq_execute", "cars people"],
  ])("are missing from %j for the tool %s: %s", (claims, tool, scope) => {
    expect(challengeTo(withScopes, claims, tool)).toMatchObject({
      status: 403,
      body: { error: "insufficient_scope" },
      challenge: expect.stringContaining(`Bearer error="insufficient_scope", scope="${scope}", `),
    });
  });

  it("are none by default", () => {
    expect(challengeTo(withoutScopes, {}, "ciq_execute")).toBeUndefined();
  });
});
