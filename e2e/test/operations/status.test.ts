import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { IkgAdmin, type IkgError, type SuiteStatus } from "@ikg/client";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { newAccount } from "../../src/console/account.ts";
import { environment } from "../../src/environment.ts";

/** GET /configs/v1/status: every service with its processes. */
const adminOf = (token: string) => new IkgAdmin({ baseUrl: environment().base_url, token });

const services = ["gateway", "configs", "capture", "access", "ciq", "mcp", "trust-scorer", "audit"];
let project: TestProject;

beforeAll(async () => {
  const { base_url: baseUrl, service_account_token: token } = environment();
  project = await createTestProject({ baseUrl, token, name: "status" });
}, 30_000);
afterAll(() => project?.remove());

const readyVersions = ({ services: all }: SuiteStatus) =>
  Object.fromEntries(
    all.map(({ service, replicas }) => [
      service,
      [...new Set(replicas.flatMap(({ status, version }) => (status === "ready" ? [version] : [])))],
    ]),
  );

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

  it("is for those who read records, of one project as well", async () => {
    const viewer = await newAccount("viewer", project.id);
    const auditor = await newAccount("auditor", project.id);
    try {
      const { services: seen } = await eventually(
        () =>
          adminOf(viewer.token)
            .status()
            .catch((error: IkgError) => ({ services: [], error })),
        ({ services: all }) => all.length > 0,
      );
      expect(seen.map(({ service }) => service)).toEqual(services);
      const refusal = await adminOf(auditor.token)
        .status()
        .catch((error: IkgError) => error);
      expect(refusal).toMatchObject({ status: 403, code: "role_missing" });
      const stranger = await adminOf("ikg_sa_wrong")
        .status()
        .catch((error: IkgError) => error);
      expect(stranger).toMatchObject({ status: 401 });
    } finally {
      await viewer.remove();
      await auditor.remove();
    }
  });
});
