/** Files of policy tests: `NAME.ikg.yaml`. */
export const isTestFile = (name: string): boolean => /\.ikg\.(ya?ml|json)$/.test(name);

/** Files of records: YAML or JSON. Policy tests may be in the same folder. */
export const isRecordFile = (name: string): boolean => /\.(ya?ml|json)$/.test(name) && !isTestFile(name);
