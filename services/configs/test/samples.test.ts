import { describe, expect, it } from "@jest/globals";
import { newGid, type RecordDescription, recordDescriptions } from "@ikg/contracts";
import { samplesOf } from "../../../e2e/src/configuration/samples.ts";
import { populate } from "./populate.ts";
import type { Made, Tenant } from "./tenant.ts";

/** Tests that walk over all collections send the bodies of samples: a field that no sample sets is never sent. */
type Sent = Readonly<Record<string, unknown>>;

/** Fields whose value needs a set-up of its own; other tests send them. */
const sentElsewhere: Readonly<Record<string, readonly string[]>> = {
  // Another database, and limits that the samples themselves would reach.
  "/projects": ["db_connection", "limits"],
  // Instead of a matcher for JWTs.
  "/token-introspects": ["opaque_matcher"],
};

/** Fields that an update may change and no sample sets. */
const missingIn = ({ path, fields }: RecordDescription, sent: Sent, more: readonly string[]): string[] =>
  Object.entries(fields)
    .filter(([, { update }]) => update !== "fixed" && update !== "ignored")
    .map(([name]) => name)
    .filter((name) => name !== "display_name" && name !== "description")
    .filter((name) => !(name in sent) && ![...(sentElsewhere[path] ?? []), ...more].includes(name));

/** A tenant that makes nothing: the bodies alone are looked at. */
const tenantOfNothing = (): Tenant => {
  const made = (name: string, body: Sent): Made => ({ id: newGid("project"), name, etag: "", body });
  return {
    organization: newGid("organization"),
    project: () => Promise.resolve(made("some", {})),
    make: (_path: string, body: Sent) => Promise.resolve(made("some", body)),
  } as unknown as Tenant; // all that samples use
};

describe("samples of every collection set every field that an update may change", () => {
  it("in the tests of configs", async () => {
    const { samples } = await populate(tenantOfNothing());
    for (const description of recordDescriptions) {
      const sample = samples.find(({ path }) => path === description.path);
      const sent = { ...sample?.request, ...sample?.change() };
      expect([description.path, missingIn(description, sent, [])]).toEqual([description.path, []]);
    }
  });

  it("in end-to-end tests, apart from what is read without its secret", async () => {
    const account = { organizationId: "organization" } as Parameters<typeof samplesOf>[0];
    const parents = { projectId: "1", applicationId: "2", agentId: "3", key: "4" };
    const others = { introspectId: "5", policyId: "6", accountId: "7" };
    const samples = await samplesOf(account, { ...parents, ...others });
    for (const description of recordDescriptions) {
      const sample = samples.find(({ path }) => path === description.path);
      const sent = { ...sample?.body("some"), ...sample?.change() };
      const masked = Object.entries(description.fields)
        .filter(([, { sealed }]) => sealed === true)
        .map(([name]) => name);
      expect([description.path, missingIn(description, sent, masked)]).toEqual([description.path, []]);
    }
  });
});
