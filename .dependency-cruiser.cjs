/** Which way imports go: docs/architecture.md, "Packages". A wrong import fails the check. */
const lib = (name) => `^libs/${name}/`;
const libs = (...names) => `^libs/(${names.join("|")})/`;

const consoleFolders = (...names) => `^apps/console/src/(${names.join("|")})/`;

/** Every folder that holds code. */
const ours = "^(libs|services|apps|stack|e2e|bench|examples)/";

/** Tests may import what they need to try a package. */
const ofTests = "(\\.test\\.ts$|/test/)";

/** The files by which tests of a service and of the suite reach the cases that policy-core's tests draw. */
const drawnCases = "^(services/(access|ciq)/test|e2e/src)/drawn-cases\\.ts$";

/** The package `name` may import only itself and those in `allowed`. */
const libraryImports = (name, allowed) => ({
  name: `${name}-imports`,
  comment: `libs/${name} may import only: ${allowed.join(", ") || "nothing of this repository"}.`,
  severity: "error",
  from: { path: lib(name), pathNot: ofTests },
  to: { path: ours, pathNot: libs(name, ...allowed) },
});

module.exports = {
  forbidden: [
    libraryImports("contracts", []),
    libraryImports("physical", []),
    libraryImports("policy-core", ["physical", "contracts"]),
    {
      name: "policy-core-takes-types-and-values-of-contracts",
      comment: "Importing zod costs 40 ms, and the values do without; the core is pure and loads at once.",
      severity: "error",
      from: { path: lib("policy-core"), pathNot: ofTests },
      to: {
        path: lib("contracts"),
        pathNot: "^libs/contracts/src/values/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "values-of-contracts-stand-alone",
      comment: "The other files of contracts import zod.",
      severity: "error",
      from: { path: "^libs/contracts/src/values/", pathNot: ofTests },
      to: { path: lib("contracts"), pathNot: "^libs/contracts/src/(values/|capture/limits\\.ts$)" },
    },
    libraryImports("concurrency", []),
    libraryImports("tls", []),
    libraryImports("graph", ["contracts", "concurrency", "tls"]),
    libraryImports("egress", ["contracts"]),
    libraryImports("announcements", ["contracts", "physical", "graph", "concurrency"]),
    libraryImports("graph-names", ["contracts", "physical", "graph", "concurrency"]),
    libraryImports("auth", [
      "contracts",
      "physical",
      "graph",
      "egress",
      "announcements",
      "secrets",
      "graph-names",
      "concurrency",
      "tls",
    ]),
    libraryImports("secrets", []),
    libraryImports("catalog", [
      "contracts",
      "policy-core",
      "graph",
      "physical",
      "announcements",
      "secrets",
      "concurrency",
    ]),
    libraryImports("query-rows", ["contracts", "physical", "policy-core", "graph"]),
    libraryImports("audit", ["contracts"]),
    libraryImports("sources", []),
    libraryImports("imports", ["client", "contracts", "sources"]),
    {
      name: "imports-run-in-browsers",
      comment:
        "The command line reads files of a machine; what both share knows neither files nor modules of Node.",
      severity: "error",
      from: { path: "^libs/(imports|sources)/src/", pathNot: ofTests },
      to: { dependencyTypes: ["core"] },
    },
    libraryImports("service", ["contracts", "auth", "audit", "concurrency", "tls"]),
    libraryImports("stores", ["auth", "catalog", "egress", "graph", "service"]),
    libraryImports("queues", ["service"]),
    {
      name: "client-imports-nothing",
      comment: "@ikg/client is published: it has no dependencies. What makes its types reads the contracts.",
      severity: "error",
      from: { path: "^libs/client/src/", pathNot: ofTests },
      to: { path: `${ours}|node_modules`, pathNot: "^libs/client/src/" },
    },
    {
      name: "client-types-come-from-the-contracts",
      severity: "error",
      from: { path: "^libs/client/generate/" },
      to: { path: ours, pathNot: libs("contracts", "audit", "client") },
    },
    {
      name: "apps-know-contracts-audit-and-the-policy-language",
      comment:
        "Programs for people reach the services over their addresses; what is pure they may use themselves.",
      severity: "error",
      from: { path: "^apps/", pathNot: ofTests },
      to: {
        path: "^(libs|services|stack|e2e|bench|examples)/",
        pathNot: libs("contracts", "audit", "policy-core", "client", "imports", "sources"),
      },
    },
    {
      name: "console-takes-only-types-of-contracts",
      comment:
        "Schemas and zod would double what a browser loads first; build files read the table of operations, and imports bring theirs when their screen opens.",
      severity: "error",
      from: { path: "^apps/console/src/" },
      to: { path: lib("contracts"), dependencyTypesNot: ["type-only"] },
    },
    {
      name: "console-components-import-no-session",
      comment:
        "They show, edit or format values that their caller gives them; the page for signing in uses them, too.",
      severity: "error",
      from: { path: consoleFolders("components", "fields", "snippets", "text") },
      to: {
        path: "^apps/console/src/",
        pathNot: consoleFolders("components", "fields", "snippets", "text"),
      },
    },
    {
      name: "console-screens-are-above-what-they-share",
      comment: "Only the routes of `app`, and other screens, import a screen.",
      severity: "error",
      from: { path: consoleFolders("session", "queries", "editors") },
      to: { path: consoleFolders("screens") },
    },
    {
      name: "no-service-imports-another",
      severity: "error",
      from: { path: "^services/([^/]+)/" },
      to: { path: "^services/([^/]+)/", pathNot: "^services/$1/" },
    },
    {
      name: "services-import-libs-only",
      severity: "error",
      from: { path: "^services/", pathNot: ofTests },
      to: { path: "^(apps|stack|e2e|bench|examples)/" },
    },
    {
      name: "stack-is-below-its-tests-and-benchmarks",
      comment:
        "e2e and bench import stack, by which they start what they test and measure. stack runs their programs as processes, by the paths of their files.",
      severity: "error",
      from: { path: "^stack/" },
      to: { path: "^(e2e|bench)/" },
    },
    {
      name: "stack-imports",
      comment:
        "What runs a deployment may import only: client, contracts, graph, physical, and the settings of services.",
      severity: "error",
      from: { path: "^stack/", pathNot: [ofTests, "^stack/src/(documentation|testing)/"] },
      to: {
        path: "^(libs|services|apps)/",
        pathNot: [libs("client", "contracts", "graph", "physical"), "^services/[^/]+/src/settings\\.ts$"],
      },
    },
    {
      name: "docs-are-pages",
      comment: "What writes the tables of pages, and what tests pages, is in stack/src/documentation.",
      severity: "error",
      from: {},
      to: { path: "^docs/" },
    },
    {
      name: "black-box-packs-know-only-contracts",
      comment:
        "A test of every operation, role or error goes through the table of it: a copy would lack what is new.",
      severity: "error",
      from: { path: "^(e2e|bench)/", pathNot: ["^bench/src/(policy-core|auth)/", drawnCases] },
      to: { path: "^(libs|services)/", pathNot: libs("contracts", "client") },
    },
    {
      name: "the-bench-of-a-library-knows-that-library",
      severity: "error",
      from: { path: "^bench/src/policy-core/" },
      to: { path: "^(libs|services)/", pathNot: libs("policy-core", "physical") },
    },
    {
      name: "the-bench-of-authentication-knows-that-library",
      severity: "error",
      from: { path: "^bench/src/auth/" },
      to: { path: "^(libs|services)/", pathNot: libs("auth", "contracts", "client") },
    },
    {
      name: "import-packages-by-name",
      comment: "Another package is imported by its name, never by a path into its inside.",
      severity: "error",
      from: { path: "^(libs|services|apps)/([^/]+)/", pathNot: drawnCases },
      to: {
        path: "^libs/([^/]+)/",
        pathNot: ["^libs/$2/", "^libs/[^/]+/src/index\\.ts$", "^libs/[^/]+/src/[^/]+/index\\.ts$"],
      },
    },
    {
      name: "drawn-cases-come-from-the-tests-of-policy-core",
      severity: "error",
      from: { path: drawnCases },
      to: { path: "^(libs|services)/", pathNot: "^libs/policy-core/test/(oracle/|runs\\.ts$)" },
    },
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-unresolvable",
      severity: "error",
      from: {},
      // Names that the build of the console gives.
      to: { couldNotResolve: true, pathNot: "^virtual:|^style-mod-original$" },
    },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "node_modules|^apps/console/dist" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
