import { describe, expect, it } from "@jest/globals";
import type { Database, Row } from "@ikg/graph";
import { keyRing, seal } from "@ikg/secrets";
import { activeSigning, signingConfiguration } from "./active-signing.ts";

const [keys, otherKeys] = [keyRing(Buffer.alloc(32, 1)), keyRing(Buffer.alloc(32, 2))];
const id = "gid:config";
const auth_params = seal(keys, { record: id, field: "auth_params" }, JSON.stringify({ region: "eu" }));
const databaseOf = (...rows: readonly Row[]): Database => ({ read: async () => rows }) as unknown as Database; // all that is used
const stored = databaseOf({
  id,
  version: 2,
  data: JSON.stringify({ provider: "CUSTOMER_AWS_KMS", key_resource: "arn", kid: "k", auth_params }),
});
const configuration = {
  configId: id,
  version: 2,
  provider: "CUSTOMER_AWS_KMS",
  keyResource: "arn",
  kid: "k",
};

describe("the signing configuration of a project", () => {
  it("is the platform's where the project has none", async () => {
    const expected = { configId: undefined, provider: "PLATFORM_MANAGED", authParams: {} };
    expect(await activeSigning(databaseOf(), keys, "p")).toMatchObject(expected);
  });

  it("has its secrets opened; without a key for them it fails to sign, and can still be named", async () => {
    expect(await activeSigning(stored, keys, "p")).toEqual({
      ...configuration,
      authParams: { region: "eu" },
    });
    await expect(activeSigning(stored, otherKeys, "p")).rejects.toMatchObject({
      name: "SigningFault",
      reason: "access_denied",
    });
    expect(await signingConfiguration(stored, "p")).toEqual(configuration);
  });
});
