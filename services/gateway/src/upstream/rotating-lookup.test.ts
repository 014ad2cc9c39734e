import { describe, expect, it } from "@jest/globals";
import type { LookupAddress } from "node:dns";
import { rotatingLookup } from "./rotating-lookup.ts";

const addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map((address) => ({ address, family: 4 }));

describe("the look-up of a service's name", () => {
  it("begins with another address each time and asks for them again after 5 s", async () => {
    let lookupCount = 0;
    let time = 0;
    const lookup = rotatingLookup(
      (_name, found) => {
        lookupCount++;
        found(null, addresses);
      },
      () => time,
    );
    const first = () =>
      new Promise((resolve, reject) =>
        lookup("access", { all: true }, (error, found) =>
          // All of them: a list.
          error === null ? resolve((found as LookupAddress[])[0]?.address) : reject(error),
        ),
      );
    expect([await first(), await first(), await first(), await first()]).toEqual([
      "192.0.2.1",
      "192.0.2.2",
      "192.0.2.3",
      "192.0.2.1",
    ]);
    expect(lookupCount).toBe(1);
    time = 5_000;
    await first();
    expect(lookupCount).toBe(2);
  });

  it("goes on with the addresses of before while the name service does not answer", async () => {
    let time = 0;
    const lookup = rotatingLookup(
      (_name, found) => (time === 0 ? found(null, addresses) : found(new Error("EAI_AGAIN"), [])),
      () => time,
    );
    const ask = () =>
      new Promise((resolve, reject) =>
        lookup("access", { all: true }, (error, found) => (error === null ? resolve(found) : reject(error))),
      );
    await ask();
    time = 60_000;
    expect(await ask()).toHaveLength(addresses.length);
  });

  it("says why a name has no address", async () => {
    const lookup = rotatingLookup((_name, found) => found(new Error("ENOTFOUND"), []));
    await new Promise<void>((resolve) =>
      lookup("nowhere", { all: true }, (error) => {
        expect(error?.message).toBe("ENOTFOUND");
        resolve();
      }),
    );
  });
});
