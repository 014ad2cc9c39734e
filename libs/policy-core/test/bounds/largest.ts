import type { CallSizes } from "../../src/values/call-sizes.ts";
import type { Inputs, RequiredInputs } from "../../src/index.ts";

/** The largest values that can be stored. */
export const storedValues = {
  text: "a,".repeat(32_768),
  list: Array.from({ length: 1_000 }, (_, index) => `${"a,".repeat(128)}${index}`),
};

/** What a request of 2 MiB can bring where the policy does not limit it. */
const unlimited: CallSizes = { characters: 65_536, entries: 10_000, nested: 0, weight: 1_000_000 };

/** The largest text and the largest list that a request may bring for a policy. */
export const largestValues = ({
  sizes = unlimited,
}: RequiredInputs): { readonly text: string; readonly list: readonly string[] } => {
  const { characters, entries, weight } = sizes;
  const share = Math.max(0, Math.min(characters, Math.floor((weight - entries) / entries)));
  return {
    text: "a,".repeat(Math.floor(characters / 2)),
    list: Array.from({ length: entries }, () => "a".repeat(share)),
  };
};

/** A request that brings the largest value for everything that is read. */
export const largestInputs = (needs: RequiredInputs): Inputs => {
  const { text, list } = largestValues(needs);
  const valueOf = (checks: ReadonlySet<string>): unknown => {
    if (checks.has("array")) return list;
    if (checks.has("count")) return 1_000;
    if (checks.has("pattern")) return "(a|b)*c";
    return checks.has("external_id") ? "n" : text;
  };
  const inputParams = Object.fromEntries(
    [...needs.parameterChecks].map(([name, checks]) => [name, valueOf(checks)]),
  );
  const claims: Record<string, unknown> = { sub: "n" };
  for (const reference of needs.references.values())
    if (reference.kind === "token" && reference.path.length === 1) claims[reference.path[0] ?? ""] = list;
  return { inputParams, token: claims, request: {}, applicationId: "app" };
};
