import { describe, expect, it } from "@jest/globals";
import type { IkgError, SuiteStatus } from "@ikg/client";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { environment } from "../../src/environment.ts";
import { adminOf, services } from "../../src/fixtures/status.ts";

const readyVersions = ({ services: all }: SuiteStatus) =>
  Object.fromEntries(
    all.map(({ service, replicas }) => [
      service,
      [...new Set(replicas.flatMap(({ status, version }) => (status === "ready" ? [version] : [])))],
    ]),
  );

/** GET /configs/v1/status: every service with its processes. Who may read it is in status.long. */
describe("the state of the suite", () => {
  it("has every service with a process that is ready, in the version that the gateway states", async () => {
    const response = await fetch(`${environment().base_url}/readyz`);
    const { version } = (await response.json()) as { readonly version: string };
    const admin = adminOf(environment().service_account_token);
    // A process reports every 5 s; other tests may have started and killed some.
    const status = await eventually(
      () => admin.status(),
      (read) => services.every((name) => readyVersions(read)[name]?.includes(version) === true),
      { withinMs: 20_000, everyMs: 500 },
    );
    expect(status.services.map(({ service }) => service)).toEqual(services);
  }, 30_000);

  it("says nothing of addresses, hosts or processes", async () => {
    const status = await adminOf(environment().service_account_token).status();
    const replicas = status.services.flatMap((each) => {
      expect(Object.keys(each).toSorted()).toEqual(["replicas", "service"]);
      return each.replicas;
    });
    for (const { status: state, version, ...more } of replicas) {
      expect(more).toEqual({});
      expect(["ready", "unavailable", "stopping", "unreachable"]).toContain(state);
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });

  it("is for those who have a credential", async () => {
    const stranger = await adminOf("ikg_sa_wrong")
      .status()
      .catch((error: IkgError) => error);
    expect(stranger).toMatchObject({ status: 401 });
  });
});
