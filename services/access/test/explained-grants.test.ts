import { describe, expect, it } from "@jest/globals";
import type { StoredKbacPolicy } from "@ikg/catalog";
import { DataFault, type Graph } from "@ikg/graph";
import type { Decide } from "../src/decisions/decide.ts";
import { openExplain } from "../src/decisions/explain.ts";
import { withExplanation } from "../src/decisions/with-explanation.ts";
import { asking, keepers, options, seniors, snapshot } from "./ward.ts";

/** A graph whose statements all fail. */
const failing = {
  of: () => ({ read: () => Promise.reject(new DataFault("7 is no text")) }),
} as unknown as Graph;

const question = {
  ...asking(),
  subject: { type: "Nurse", id: "n1" },
  resource: { type: "Chart", id: "c1" },
};

describe("the explanation of a decision that a policy granted", () => {
  const decide: Decide = (_snapshot, _evaluation, { onGrant }) => {
    onGrant?.(keepers);
    return Promise.resolve({ decision: true });
  };
  const explained = withExplanation(openExplain(failing));

  it("names the policy that decided, and none of a denial", async () => {
    const { context } = await explained(decide)(snapshot(seniors, keepers), question, {
      ...options,
      explain: true,
    });
    const { id, name, version } = keepers;
    expect(context?.explanation?.granted_by).toEqual({ id, name, version });
    const denial = await explained(() => Promise.resolve({ decision: false }))(snapshot(keepers), question, {
      ...options,
      explain: true,
    });
    expect(denial.context?.explanation).not.toHaveProperty("granted_by");
  });

  it("leaves the caller's own notice of the policy", async () => {
    const grants: StoredKbacPolicy[] = [];
    const onGrant = (policy: StoredKbacPolicy): void => void grants.push(policy);
    await explained(decide)(snapshot(keepers), question, { ...options, explain: true, onGrant });
    expect(grants).toEqual([keepers]);
  });
});

describe("a statement of an explanation that fails", () => {
  it("is reported with its policy and request, and the policy is unknown", async () => {
    const failures: unknown[] = [];
    const explain = openExplain(failing, {}, ({ id }, error, requestId) => {
      failures.push([id, error instanceof DataFault, requestId]);
    });
    const { candidates } = await explain(snapshot(keepers), question, { ...options, requestId: "r-1" });
    expect(candidates.map(({ outcome }) => outcome)).toEqual(["unknown"]);
    expect(failures).toContainEqual([keepers.id, true, "r-1"]);
  });
});
