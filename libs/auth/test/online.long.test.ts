import { expect, it } from "@jest/globals";
import { byUserinfo, endpoint, notVerified, tokenOf, under } from "./online-under-test.ts";

it("an issuer that does not answer is given five seconds", async () => {
  endpoint.answer = () => undefined;
  const started = Date.now();
  await expect(under.introspect(await tokenOf(), byUserinfo(0, { projectId: "slow" }))).rejects.toMatchObject(
    notVerified,
  );
  expect(Date.now() - started).toBeGreaterThan(4_500);
  expect(Date.now() - started).toBeLessThan(7_000);
});
