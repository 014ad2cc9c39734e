import { describe, expect, it } from "@jest/globals";
import { recordDescriptions } from "./all-records.ts";

describe.each(recordDescriptions)("the fields of $path", ({ fields, record }) => {
  it("are read back, or say what is read instead", () => {
    const forgotten = Object.entries(fields).filter(
      ([name, { read }]) => !(name in record.shape) && read === undefined,
    );
    expect(forgotten.map(([name]) => name)).toEqual([]);
  });

  it("can be cleared where they are optional, absence keeps them, and they are no secrets", () => {
    const permanent = Object.entries(fields).filter(
      ([, { create, update, sealed, emptyRemoves, clearedBy }]) =>
        create === "optional" &&
        update === "kept" &&
        sealed !== true &&
        emptyRemoves !== true &&
        clearedBy === undefined,
    );
    expect(permanent.map(([name]) => name)).toEqual([]);
  });

  it("are stored encrypted where reads mask them", () => {
    const plain = Object.entries(fields).filter(
      ([, { sealed, maskForRead }]) => maskForRead !== undefined && sealed !== true,
    );
    expect(plain.map(([name]) => name)).toEqual([]);
  });
});

describe("fields that are stored encrypted", () => {
  it("are masked by reads, but for the headers of resolvers", () => {
    const shown = recordDescriptions.flatMap(({ path, fields }) =>
      Object.entries(fields)
        .filter(([, { sealed, maskForRead }]) => sealed === true && maskForRead === undefined)
        .map(([name]) => `${path} ${name}`),
    );
    expect(shown).toEqual(["/external-data-resolvers headers"]);
  });
});
