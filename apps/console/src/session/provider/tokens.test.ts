import { describe, expect, it } from "@jest/globals";
import { requestTokens, strengthParameters } from "./tokens.ts";

describe("an authorization request", () => {
  it("names the demanded authentication contexts and age, where there are any", () => {
    expect(strengthParameters({ acrValues: ["phr", "phrh"], maxAge: 600 })).toEqual({
      acr_values: "phr phrh",
      max_age: "600",
    });
    expect(strengthParameters({ acrValues: [], maxAge: undefined })).toEqual({});
  });
});

describe("a token request", () => {
  it("ends when it is cancelled, also while its response is read", async () => {
    const provider = {
      issuer: "https://id.example",
      clientId: "console",
      audience: "ikg",
      scope: "openid",
      acrValues: [],
      maxAge: undefined,
      authorizationEndpoint: "https://id.example/auth",
      tokenEndpoint: "https://id.example/token",
    };
    const controller = new AbortController();
    const { fetch } = globalThis;
    const respond = async (): Promise<Response> => {
      controller.abort(new Error("cancelled"));
      return Response.json({ access_token: "t" });
    };
    Object.assign(globalThis, { fetch: respond });
    try {
      await expect(requestTokens(provider, {}, controller.signal)).rejects.toThrow("cancelled");
    } finally {
      Object.assign(globalThis, { fetch });
    }
  });
});
