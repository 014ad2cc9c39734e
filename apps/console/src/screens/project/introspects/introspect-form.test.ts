import { describe, expect, it } from "@jest/globals";
import type { TokenIntrospectRecord } from "@ikg/client";
import { introspectBody, introspectValues, validationOf } from "./introspect-form.ts";

const record = (fields: Partial<TokenIntrospectRecord>): TokenIntrospectRecord => ({
  id: "gid:i",
  project_id: "gid:p",
  organization_id: "gid:o",
  create_time: "2026-01-01T00:00:00Z",
  created_by: "gid:s",
  update_time: "2026-01-01T00:00:00Z",
  updated_by: "gid:s",
  name: "people",
  display_name: "people",
  claims_mapping: {},
  ikg_node_type: "Person",
  perform_upsert: false,
  ...fields,
});

const jwt = { jwt_matcher: { issuer: "https://issuer.example", audience: "shop" } };

describe("the form of a token introspect", () => {
  it.each([
    [jwt, "issuer"],
    [{ ...jwt, offline_validation: { public_jwks: ["{}"] } }, "keys"],
    [{ ...jwt, offline_validation: {} }, "issuer"],
    [{ ...jwt, online_validation: {} }, "userinfo"],
    [{ ...jwt, online_validation: { introspection_endpoint: "https://x", client_id: "c" } }, "introspection"],
  ])("%j is verified by %s", (fields, expected) => {
    expect(validationOf(record(fields))).toBe(expected);
  });

  it.each([
    { ...jwt, sub_claim: "uid", claims_mapping: { email: { selector: "mail" } }, perform_upsert: true },
    { ...jwt, offline_validation: { public_jwks: ["one", "two"] } },
    {
      opaque_matcher: { hint: "partner" },
      online_validation: { userinfo_endpoint: "https://u", cache_ttl: 60 },
    },
  ])("sends what it was given: %j", (fields) => {
    const { claims_mapping = {}, perform_upsert = false, ...rest } = fields as Partial<TokenIntrospectRecord>;
    expect(introspectBody(introspectValues(record(fields)), false)).toEqual({
      display_name: "",
      description: "",
      ikg_node_type: "Person",
      claims_mapping,
      perform_upsert,
      ...rest,
    });
  });

  it("never sends an empty secret, and leaves seconds that are none to the API", () => {
    const values = {
      ...introspectValues(
        record({ ...jwt, online_validation: { introspection_endpoint: "https://x", client_id: "c" } }),
      ),
      cache_ttl: "soon",
    };
    expect(introspectBody(values, true)["online_validation"]).toEqual({
      introspection_endpoint: "https://x",
      client_id: "c",
      cache_ttl: "soon",
    });
  });
});
