/** Files of policy tests: `NAME.ikg.yaml`. */
export const isTestFile = (name: string): boolean => /\.ikg\.(ya?ml|json)$/.test(name);

/** Files of records: YAML or JSON. Those of policy tests may stand beside them. */
export const isRecordFile = (name: string): boolean => /\.(ya?ml|json)$/.test(name) && !isTestFile(name);
