/**
 * Key of a project in the graph: 8 characters `[a-z0-9]`, or empty for a project with a database of its own
 * (physical model, section 9). It marks labels and starts every `_key`.
 */
export type ProjectKey = string & { readonly __brand: "project-key" };

const shape = /^[a-z0-9]{8}$/;

/** Takes a stored project key; throws on anything that may not stand in a label. */
export const projectKey = (text: string): ProjectKey => {
  if (text !== "" && !shape.test(text)) throw new Error("not a project key");
  return text as ProjectKey;
};

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

/** A new project key from 8 random bytes. */
export const newProjectKey = (random: Uint8Array): ProjectKey => {
  if (random.length < 8) throw new Error("a project key takes 8 random bytes");
  return projectKey(Array.from(random.subarray(0, 8), (byte) => alphabet[byte % alphabet.length]).join(""));
};
