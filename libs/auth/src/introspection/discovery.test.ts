import { describe, expect, it } from "@jest/globals";
import { type Egress, EgressError, type JsonObject } from "@ikg/egress";
import { discoveryOf } from "./discovery.ts";

const issuer = "https://idp.example.com";

describe("the discovery document", () => {
  it("reaches the second caller when the first one gives up", async () => {
    const { promise, resolve } = Promise.withResolvers<JsonObject>();
    const egress: Egress = {
      rules: { allowHttp: false, allowHosts: [], allowCidrs: [] },
      getJson: (_url, { signal } = {}) => {
        const aborted = new Promise<never>((_, reject) => {
          signal?.addEventListener("abort", () => reject(new EgressError("upstream_timeout")), {
            once: true,
          });
        });
        return Promise.race([promise, aborted]);
      },
      request: () => Promise.reject(new Error("not used")),
      close: () => Promise.resolve(),
    };
    const discovery = discoveryOf(issuer, egress, () => 0);
    const first = new AbortController();
    const gone = discovery(first.signal);
    const stays = discovery();
    first.abort();
    await expect(gone).rejects.toBeInstanceOf(EgressError);
    resolve({ issuer, jwks_uri: `${issuer}/jwks` });
    await expect(stays).resolves.toMatchObject({ issuer });
  });
});
