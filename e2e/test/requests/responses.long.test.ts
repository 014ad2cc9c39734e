import { describe, expect, it } from "@jest/globals";
import { tenant, question, useLibraryTown } from "../../src/fixtures/library-town.ts";
import { configs } from "../../src/requests/configs.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { requireSound } from "../../src/requests/refusal.ts";
import { type Answer, send } from "../../src/requests/send.ts";

useLibraryTown();

describe("answers", () => {
  const request = { json: question("ida", "READ", "book-0") };
  const id = { "X-Request-ID": "my request, no 1" };
  const key = () => ({ "X-SVC-ClientKey": tenant.key });
  const answers: readonly (readonly [number, () => Promise<Answer>])[] = [
    [200, () => send("/access/v1/evaluation", { ...request, headers: { ...id, ...key() } })],
    [400, () => send("/access/v1/evaluation", { raw: "{", headers: { ...id, ...key() } })],
    [401, () => send("/access/v1/evaluation", { ...request, headers: id })],
    [404, () => send("/nowhere", { headers: id })],
    [405, () => send("/access/v1/evaluation", { headers: id })],
    [422, () => configs("/projects", { json: {}, headers: id })],
  ];
  it.each(answers)("of status %i carry the request's id", async (status, ask) => {
    const answer = await ask();
    requireSound(answer);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-request-id")).toBe("my request, no 1");
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });

  it("to a request without an id carry a new one each", async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () =>
        (await withKey("/access/v1/evaluation", tenant, request)).headers.get("x-request-id"),
      ),
    );
    expect(new Set(ids).size).toBe(3);
    for (const each of ids)
      expect(each).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  });

  it("of the probes need no credential", async () => {
    for (const probe of ["/healthz", "/readyz"])
      expect(await send(probe)).toMatchObject({ status: 200, body: { status: expect.any(String) } });
  });
});
