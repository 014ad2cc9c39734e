import { describe, expect, it } from "@jest/globals";
import { metadataOf } from "./authzen-metadata.ts";

describe("the metadata document", () => {
  it.each([
    ["https://pdp.example.com", "/.well-known/authzen-configuration"],
    ["https://pdp.example.com:8443/tenant1", "/.well-known/authzen-configuration/tenant1"],
    ["https://pdp.example.com/a/b", "/.well-known/authzen-configuration/a/b"],
  ])("of %s is at %s and names its base as it is", (base, path) => {
    const found = metadataOf(base);
    expect(found.path).toBe(path);
    expect(found.document["policy_decision_point"]).toBe(base);
    for (const [name, value] of Object.entries(found.document))
      if (name !== "policy_decision_point") expect(value.startsWith(`${base}/access/v1/`)).toBe(true);
  });
});
