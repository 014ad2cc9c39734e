/** Everything that `npm run bench` measures. Each is loaded when it is asked for. */
import type { Target } from "./settings.ts";

/** Answers whether its marks hold. */
export type Measurement =
  | { readonly needsSuite: true; readonly measure: (target: Target) => Promise<boolean> }
  | { readonly needsSuite: false; readonly measure: () => Promise<boolean> };

export const measurements: ReadonlyMap<string, Measurement> = new Map<string, Measurement>([
  [
    "decisions",
    {
      needsSuite: true,
      measure: async (target) => (await import("./decisions/decisions.ts")).decisions(target),
    },
  ],
  [
    "auth",
    {
      needsSuite: true,
      measure: async (target) => (await import("./auth/auth.ts")).auth(target),
    },
  ],
  [
    "policy-core",
    {
      needsSuite: false,
      measure: async () => (await import("./policy-core/policy-core.ts")).policyCore(),
    },
  ],
]);

/** The names that were given, all when none was; undefined for a name that does not exist. */
export const chooseMeasurements = (
  given: readonly string[],
): readonly string[] | { readonly unknown: string } => {
  const unknown = given.find((name) => !measurements.has(name));
  if (unknown !== undefined) return { unknown };
  return given.length > 0 ? given : [...measurements.keys()];
};
