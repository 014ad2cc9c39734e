import { describe, expect, it } from "@jest/globals";
import { CommandFault } from "../../command-environment.ts";
import { openResolverServer } from "./resolver-server.ts";

describe("the server of simulated resolvers", () => {
  it("names the option whose address is none of this machine", async () => {
    // Reserved for documentation (RFC 5737).
    const error: unknown = await openResolverServer("192.0.2.1").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CommandFault);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^--resolver-host 192\.0\.2\.1: listen E/),
    });
  });
});
