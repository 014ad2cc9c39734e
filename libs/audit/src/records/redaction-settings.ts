export const inputParamModes = ["values", "hashes", "none"] as const;
export const valueModes = ["names", "full"] as const;

/** What operators let records hold. */
export interface RedactionSettings {
  readonly inputParams: (typeof inputParamModes)[number];
  readonly values: (typeof valueModes)[number];
}
