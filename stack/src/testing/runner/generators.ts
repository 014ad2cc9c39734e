/** Unit tests that write generated files when a variable is set, and compare them otherwise. */
export interface Generator {
  readonly file: string;
  readonly variable: "UPDATE_DOCS" | "UPDATE_PRINTED";
  /** What it writes, and from what: for the table of CONTRIBUTING.md. */
  readonly writes: string;
  readonly from: string;
}

const documentation = (name: string, writes: string, from: string): Generator => ({
  file: `stack/src/documentation/${name}.test.ts`,
  variable: "UPDATE_DOCS",
  writes,
  from,
});

const printed = (name: string, writes: string, from: string): Generator => ({
  file: `libs/policy-core/test/printed/${name}.test.ts`,
  variable: "UPDATE_PRINTED",
  writes,
  from,
});

export const generators: readonly Generator[] = [
  documentation(
    "tables",
    "tables after a mark `<!-- table: NAME -->` in `docs`, in `docs/decisions/README.md` and in this file",
    "`stack/src/documentation/tables.ts`: errors, operations, settings, metrics, records, the policy language, decision records, generated files",
  ),
  documentation(
    "cli",
    "`docs/cli.md` between its marks, `apps/cli/man/ikg.1`",
    "the commands of `apps/cli/src/commands`",
  ),
  documentation("audit-records", "`docs/audit-records.schema.json`", "the schemas of `libs/audit`"),
  documentation(
    "policy-tests",
    "`docs/policy-tests.schema.json`",
    "`apps/cli/src/policy-tests/file/schema.ts`",
  ),
  documentation(
    "import-mapping",
    "`docs/import-mapping.schema.json`",
    "`libs/imports/src/mapping/schema.ts`",
  ),
  documentation(
    "openapi/openapi",
    "`services/gateway/src/reference/openapi.json`",
    "`libs/contracts`, `stack/src/documentation/openapi`",
  ),
  documentation("monitoring", "`k8s/monitoring/alerts.yaml`", "`monitoring/prometheus/alerts.yml`"),
  {
    file: "libs/client/src/contract/contract.test.ts",
    variable: "UPDATE_DOCS",
    writes: "`libs/client/src/contract/wire.ts`, `records.ts`, `problems.ts`",
    from: "`libs/contracts`, by `libs/client/generate`",
  },
  {
    file: "stack/src/demo/example.test.ts",
    variable: "UPDATE_DOCS",
    writes: "`examples/film-archive`",
    from: "the demo, `stack/src/demo`",
  },
  {
    file: "stack/src/helm/chart.test.ts",
    variable: "UPDATE_DOCS",
    writes: "`deploy/helm/ikg`, but for the files that `stack/src/helm/chart.ts` lists",
    from: "`k8s/`, `monitoring`, the settings of the services, by `stack/src/helm`",
  },
  {
    file: "stack/src/stores/redis-users.test.ts",
    variable: "UPDATE_DOCS",
    writes: "`deploy/redis/users.conf`, `k8s/overlays/local/redis-users.conf`",
    from: "`stack/src/stores/redis-users.ts`",
  },
  printed(
    "filters",
    "`libs/policy-core/test/printed/filters.recorded.json`",
    "the printer of filters; changes only on purpose",
  ),
  printed(
    "printed",
    "`libs/policy-core/test/printed/recorded.json`",
    "the printer of statements; changes only on purpose",
  ),
];

/** Generated files that need more than the sources of the repository. */
export interface OtherGenerated {
  readonly writes: string;
  readonly from: string;
  readonly command: string;
}

export const otherGenerated: readonly OtherGenerated[] = [
  {
    writes: "`libs/client/test/airfield.ts`",
    from: "`examples/airfield/airfield.ikg.yaml`, by `ikg codegen`",
    command:
      "`npm run ikg -- codegen --from examples/airfield/airfield.ikg.yaml --out libs/client/test/airfield.ts`",
  },
  {
    writes: "`docs/console/*.png`",
    from: "the screens of the console in a browser; a test says where one shows another screen",
    command: "`UPDATE_DOCS=1 npm run test:long -- e2e/test/console`",
  },
  {
    writes: "`libs/policy-core/test/work/recorded.json`",
    from: "the database's work for each statement; needs Neo4j",
    command: "`UPDATE_WORK=1 npm test -- policy-core/test/work`",
  },
  {
    writes: "texts that the vendor's checker found clean (`clean`, next to the test)",
    from: "the long run's check of every printed statement; not compared, saves time only",
    command: "`UPDATE_CLEAN=1 npm run test:long`",
  },
  {
    writes: "`docs/coverage.md`",
    from: "the answers that end-to-end tests receive; a test checks that every status is covered",
    command: "the two commands on that page (`IKG_COVERAGE`)",
  },
  {
    writes: "`stack/data-sets/*.ndjson.gz`",
    from: "the data sets of releases, by their services; a later release never rewrites them",
    command: "`node stack/src/data-set/write.ts FILE RELEASE TREE`",
  },
  { writes: "`docs/mutation.md`", from: "the mutation run; not compared", command: "`npm run mutation`" },
  {
    writes: "`docs/benchmarks.md`, but for its last section",
    from: "measurements; not compared",
    command: "`npm run bench`",
  },
];
