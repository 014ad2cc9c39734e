import { expect, it } from "@jest/globals";
import type { Introspection } from "@ikg/auth";
import type { McpEndpoint } from "./mcp-endpoint.ts";
import { userOf } from "./user.ts";

it.each([
  ["ACTIVE", true, true],
  ["ACTIVE", false, false],
  ["PENDING", true, false],
  // The database may be claimed for another project.
  ["FAILED", true, false],
])(
  "writes no node of a user without an active graph: %s, %s",
  async (ikgStatus, performUpsert, isWritten) => {
    const writes: boolean[] = [];
    const introspection: Introspection = {
      introspect: async (_bearer, { introspects }) => {
        writes.push(...introspects.map((each) => each.performUpsert));
        return { subject: "ann", claims: {}, configId: "c", nodeType: "Person" };
      },
      close: async () => undefined,
    };
    const endpoint = { view: { project: { ikgStatus } }, server: { introspect: { performUpsert } } };
    const request = { rawHeaders: ["Authorization", "Bearer a.b.c"] };
    await userOf(request, endpoint as unknown as McpEndpoint, introspection, () => undefined); // all that is read
    expect(writes).toEqual([isWritten]);
  },
);
