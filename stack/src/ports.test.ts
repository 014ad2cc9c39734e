import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { freePort, isFree } from "./ports.ts";

describe("ports", () => {
  it("knows a taken port", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    // An internet address, as it listens on one.
    const { port } = server.address() as AddressInfo;
    await expect(isFree(port)).resolves.toBe(false);
    server.close();
    await once(server, "close");
    await expect(isFree(port)).resolves.toBe(true);
  });

  it("passes over a port that is taken and one that it has given before", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port: taken } = server.address() as AddressInfo;
    const first = await freePort();
    const next = await freePort();
    expect(next).not.toBe(first);
    const offers = [taken, first, next];
    const choose = () => offers.shift() ?? 31_999;
    await expect(freePort(choose)).resolves.toBe(31_999);
    server.close();
  });

  it("gives up when there is none", async () => {
    const port = await freePort();
    await expect(freePort(() => port)).rejects.toThrow("No free port");
  });
});
