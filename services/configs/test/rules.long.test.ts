import { describe, expect, it } from "@jest/globals";
import { startConfigs } from "./configs-under-test.ts";
import { populate } from "./populate.ts";

describe("CONFIG_REQUIRE_IF_MATCH", () => {
  it("refuses a PUT or DELETE that names no state, of every collection", async () => {
    const strict = await startConfigs({ CONFIG_REQUIRE_IF_MATCH: "true" });
    try {
      const own = await strict.tenant();
      const { samples } = await populate(own);
      for (const { path, made, description, change } of samples.toReversed()) {
        const url = `${path}/${made.id}`;
        const expected = { message: "Precondition Required", errors: ["If-Match: required"] };
        let { etag } = made;
        if (description.update !== undefined && path !== "/mcp-servers") {
          const body = change();
          const put = await own.send("PUT", url, body);
          expect([path, put.status, put.body]).toEqual([path, 428, expected]);
          const done = await own.send("PUT", url, body, { "if-match": etag });
          expect([path, done.status]).toEqual([path, 200]);
          etag = done.headers.get("etag") ?? "";
        }
        const removed = await own.send("DELETE", url);
        expect([path, removed.status, removed.body]).toEqual([path, 428, expected]);
        expect((await own.send("GET", url)).status).toBe(200);
        expect((await own.send("DELETE", url, undefined, { "if-match": etag })).status).toBe(200);
        expect((await own.send("DELETE", url)).status).toBe(404);
      }
    } finally {
      await strict.close();
    }
  });
});
