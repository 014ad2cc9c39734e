import { randomBytes } from "node:crypto";
import type { TestProject } from "./capture-under-test.ts";

/** A beginning of names that no other test has. */
export const fresh = (): string => `x${randomBytes(6).toString("hex")}_`;

/** The node of a car. */
export const node = (external_id: string, ...names: readonly string[]) => ({
  type: "Car",
  external_id,
  properties: names.map((type) => ({ type, value: 1 })),
});

/** Captures the cars a and b. */
export const pairs = async (project: TestProject): Promise<void> => {
  await project.nodes([node("a"), node("b")]);
};

/** A relationship of this type from a to b. */
export const relationship = (type: string, more: object = {}) => ({
  source: { type: "Car", external_id: "a" },
  target: { type: "Car", external_id: "b" },
  type,
  ...more,
});
