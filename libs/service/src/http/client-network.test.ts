import { describe, expect, it } from "@jest/globals";
import { clientNetwork } from "./client-network.ts";

describe("the network that limits of an address are counted for", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::9", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    [undefined, ""],
  ])("of %s is %s", (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});
