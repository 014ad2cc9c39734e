import { expect, it } from "@jest/globals";
import { IkgAdmin } from "@ikg/client";
import { readServices } from "./services.ts";

/** A suite in which a service answers with a status; without one it does not answer. */
const admin = (statuses: Readonly<Record<string, number | undefined>>): IkgAdmin =>
  new IkgAdmin({
    baseUrl: "http://suite",
    token: "t",
    project: "gid:p",
    fetch: (input) => {
      const path = new URL(input instanceof Request ? input.url : input).pathname;
      const status = Object.entries(statuses).find(([prefix]) => path.startsWith(prefix))?.[1];
      if (status === undefined) return Promise.reject(new TypeError("no connection"));
      return Promise.resolve(Response.json({ data: [], message: "no" }, { status }));
    },
  });

it("a service is up when it answers, whatever it says of the call, and down when the gateway has no answer", async () => {
  const statuses = { "/configs": 200, "/access": 422, "/graph": 400, "/data-schema": 503, "/audit": 403 };
  const states = await readServices(admin(statuses), () => true, new AbortController().signal);
  expect(Object.fromEntries(states.map(({ service, state }) => [service, state]))).toEqual({
    configs: "up",
    access: "up",
    ciq: "up",
    capture: "down",
    audit: "unknown",
  });
});

it("a service that no role of the administrator opens is not asked", async () => {
  const states = await readServices(
    admin({ "/configs": 200 }),
    (operation) => operation === "current_organization",
    new AbortController().signal,
  );
  expect(states.map(({ state }) => state)).toEqual(["up", "unknown", "unknown", "unknown", "unknown"]);
});
