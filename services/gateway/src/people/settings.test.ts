import { expect, it } from "@jest/globals";
import { peopleIssuer } from "./settings.ts";

const rules = { allowHttp: false, allowHosts: ["id.internal"], allowCidrs: ["10.1.0.0/16"] };
const ofIssuer = (issuer: string | undefined, more: object = {}, under = rules) =>
  peopleIssuer({ OIDC_ISSUER: issuer, OIDC_AUDIENCE: "ikg", OIDC_CLIENT_ID: "cli", ...more }, under);

it.each(["https://id.example.com", "https://id.internal/realms/ikg", "https://10.1.2.3"])(
  "an issuer may be %s",
  (issuer) => expect(ofIssuer(issuer)).toEqual({ issuer, audience: "ikg", clientId: "cli" }),
);

it.each([
  ["OIDC_ISSUER", "http://id.example.com", {}],
  ["OIDC_ISSUER", "https://id.svc.internal", {}],
  ["OIDC_ISSUER", "https://10.2.0.1", {}],
  ["OIDC_ISSUER", "https://127.0.0.1:8080", {}],
  ["OIDC_AUDIENCE", "https://id.example.com", { OIDC_AUDIENCE: undefined }],
  ["OIDC_CLIENT_ID", "https://id.example.com", { OIDC_CLIENT_ID: undefined }],
  ["OIDC_AUDIENCE", "https://id.example.com", { OIDC_AUDIENCE: "cli" }],
])("names %s where %s cannot be used with %j", (setting, issuer, more) =>
  expect(ofIssuer(issuer, more)).toEqual([expect.stringMatching(`^${setting}: `)]),
);

it("an issuer on http is for a deployment that allows it", () => {
  const issuer = "http://id.example.com";
  expect(ofIssuer(issuer, {}, { ...rules, allowHttp: true })).toMatchObject({ issuer });
  expect(ofIssuer(undefined)).toBeUndefined();
});
