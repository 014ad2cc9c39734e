/** A relationship between two nodes, each by its type and external id. */
export const relationship = (source: [string, string], type: string, target: [string, string]) => ({
  source: { type: source[0], external_id: source[1] },
  type,
  target: { type: target[0], external_id: target[1] },
});
