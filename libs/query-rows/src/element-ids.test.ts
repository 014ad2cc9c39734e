import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { elementIdsOf } from "./element-ids.ts";

const key = Buffer.alloc(32, 1);
const [one, other] = [newGid("project"), newGid("project")];
const database = "4:0e28d0f1-6cf4-4b7b-9c0b-7a2f3a4d5e6f:";

describe("ids of elements", () => {
  it("are the same for one element whenever it is shown", () => {
    expect(elementIdsOf(key)(one).of(`${database}12`)).toEqual(elementIdsOf(key)(one).of(`${database}12`));
  });

  it("are others in another project, of another element and by another key", () => {
    const ids = elementIdsOf(key)(one);
    const seen = [
      ids.of(`${database}12`),
      ids.of(`${database}13`),
      elementIdsOf(key)(other).of(`${database}12`),
      elementIdsOf(Buffer.alloc(32, 2))(one).of(`${database}12`),
    ];
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect(new Set(seen.map(({ elementId }) => elementId)).size).toBe(seen.length);
  });

  it("show neither the number nor its order", () => {
    const ids = elementIdsOf(key)(one);
    const shown = Array.from({ length: 1_000 }, (_, at) => ids.of(`${database}${at}`));
    let ascending = 0;
    shown.forEach(({ id, elementId }, at) => {
      expect(Number.isSafeInteger(id)).toBe(true);
      expect(elementId).toMatch(/^[A-Za-z0-9_-]{22}$/);
      if (id > (shown[at - 1]?.id ?? 0)) ascending++;
    });
    // As often up as down, as of a thousand numbers that are drawn.
    expect(ascending).toBeGreaterThan(400);
    expect(ascending).toBeLessThan(600);
    expect(new Set(shown.map(({ id }) => id)).size).toBe(1_000);
  });
});
