/** Unit tests that write generated files when a variable is set, and compare them otherwise. */
export interface Generator {
  readonly file: string;
  readonly variable: "UPDATE_DOCS" | "UPDATE_PRINTED";
}

const docs = ["audit-records", "cli", "import-mapping", "monitoring", "openapi", "policy-tests", "tables"];

export const generators: readonly Generator[] = [
  ...docs.map((name) => ({ file: `docs/${name}.test.ts`, variable: "UPDATE_DOCS" as const })),
  { file: "libs/client/src/contract/contract.test.ts", variable: "UPDATE_DOCS" },
  { file: "stack/src/demo/example.test.ts", variable: "UPDATE_DOCS" },
  { file: "stack/src/helm/chart.test.ts", variable: "UPDATE_DOCS" },
  { file: "stack/src/parts/redis-users.test.ts", variable: "UPDATE_DOCS" },
  { file: "libs/policy-core/test/printed/filters.test.ts", variable: "UPDATE_PRINTED" },
  { file: "libs/policy-core/test/printed/printed.test.ts", variable: "UPDATE_PRINTED" },
];
