import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { IkgError } from "@ikg/client";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { newAccount } from "../../src/console/account.ts";
import { environment } from "../../src/environment.ts";
import { adminOf, services } from "../../src/fixtures/status.ts";

let project: TestProject;

beforeAll(async () => {
  const { base_url: baseUrl, service_account_token: token } = environment();
  project = await createTestProject({ baseUrl, token, name: "status" });
}, 30_000);
afterAll(() => project?.remove());

describe("the state of the suite", () => {
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
    } finally {
      await viewer.remove();
      await auditor.remove();
    }
  });
});
