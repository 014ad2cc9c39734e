import { expect, it } from "@jest/globals";
import type { SuiteStatus } from "@ikg/contracts";
import { cachedStatus } from "./cached-status.ts";

const status = (version: string): SuiteStatus => ({
  services: [{ service: "ciq", replicas: [{ status: "ready", version }] }],
});

it("is read once for all who ask within two seconds", async () => {
  let [time, reads] = [0, 0];
  const read = cachedStatus(
    async () => status(`0.${(reads += 1)}.0`),
    () => time,
  );
  const [one, other] = await Promise.all([read(), read()]);
  time = 1_999;
  expect([one, other, await read()]).toEqual(Array(3).fill(status("0.1.0")));
  time = 2_000;
  expect([await read(), reads]).toEqual([status("0.2.0"), 2]);
});

it("is unavailable while it cannot be read, and read again by the next who asks", async () => {
  let isAway = true;
  const read = cachedStatus(async () => {
    if (isAway) throw new Error("no connection to 10.0.0.7");
    return status("0.1.0");
  });
  const refusals = await Promise.allSettled([read(), read()]);
  const refusal = { reason: { code: "unavailable", status: 503, headers: { "Retry-After": "5" } } };
  expect(refusals).toMatchObject([refusal, refusal]);
  isAway = false;
  expect(await read()).toEqual(status("0.1.0"));
});
