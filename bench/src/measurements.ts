/** Everything that `npm run bench` measures. Each is loaded when it is selected. */
import { asksForHelp, namesOf, type Options } from "./options.ts";
import type { Target } from "./settings.ts";

/** Answers whether its targets hold. */
export type Measurement =
  | { readonly needsSuite: true; readonly measure: (target: Target, options: Options) => Promise<boolean> }
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
    "client",
    {
      needsSuite: true,
      measure: async (target) => (await import("./client/client.ts")).client(target),
    },
  ],
  [
    "cli",
    {
      needsSuite: true,
      measure: async (target, options) => (await import("./cli/cli.ts")).cli(target, options),
    },
  ],
  [
    "console",
    {
      needsSuite: true,
      measure: async (target) => (await import("./console/console.ts")).measureConsole(target),
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
    "access",
    {
      needsSuite: true,
      measure: async (target, options) => (await import("./access/access.ts")).access(target, options),
    },
  ],
  [
    "capture",
    {
      needsSuite: true,
      measure: async (target) => (await import("./capture/capture.ts")).capture(target),
    },
  ],
  [
    "ciq",
    {
      needsSuite: true,
      measure: async (target) => (await import("./ciq/ciq.ts")).ciq(target),
    },
  ],
  [
    "trust",
    {
      needsSuite: true,
      measure: async (target, options) => (await import("./trust/trust.ts")).trust(target, options),
    },
  ],
  [
    "mcp",
    {
      needsSuite: true,
      measure: async (target) => (await import("./mcp/mcp.ts")).mcp(target),
    },
  ],
  [
    "audit",
    {
      needsSuite: true,
      measure: async (target, options) => (await import("./audit/audit.ts")).audit(target, options),
    },
  ],
  [
    "authoring",
    {
      needsSuite: true,
      measure: async (target, options) =>
        (await import("./authoring/authoring.ts")).authoring(target, options),
    },
  ],
  [
    "neighbours",
    {
      needsSuite: true,
      measure: async (target, options) =>
        (await import("./neighbours/neighbours.ts")).neighbours(target, options),
    },
  ],
  [
    "start",
    {
      needsSuite: true,
      measure: async (target) => (await import("./start/start.ts")).start(target),
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

/** The names among the arguments, all when there is none; or the first name that does not exist. */
export const chooseMeasurements = (
  args: readonly string[],
): readonly string[] | { readonly unknown: string } => {
  if (asksForHelp(args)) return [];
  const given = namesOf(args);
  const unknown = given.find((name) => !measurements.has(name));
  if (unknown !== undefined) return { unknown };
  return given.length > 0 ? given : [...measurements.keys()];
};
