import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import type { Field } from "./description.ts";
import { recordDescriptions } from "./all-records.ts";

const isText = ({ schema }: Field): boolean =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }).type === "string";

describe.each(recordDescriptions)("the fields of $path", ({ fields, record }) => {
  it("are read back, or say what is read instead", () => {
    const forgotten = Object.entries(fields).filter(
      ([name, { read }]) => !(name in record.shape) && read === undefined,
    );
    expect(forgotten.map(([name]) => name)).toEqual([]);
  });

  it("can be removed where they are optional texts that absence keeps", () => {
    const permanent = Object.entries(fields).filter(
      ([, field]) =>
        field.create === "optional" &&
        field.update === "kept" &&
        field.emptyRemoves !== true &&
        isText(field),
    );
    expect(permanent.map(([name]) => name)).toEqual([]);
  });
});
