import type { ChangeableCollection } from "@ikg/contracts";
import type { Place, Source } from "@ikg/sources";
import { languageFaultPlace } from "../policy-tests/file/language-fault.ts";
import { folders } from "./project-files.ts";

type Path = readonly PropertyKey[];

/** The location of a policy or query: paths in one file. */
export interface WrittenRecord {
  readonly collection: ChangeableCollection;
  readonly source: Source;
  /** The change, or the record as a whole. */
  readonly whole: Path;
  readonly record: Path;
  /** The policy or query itself. */
  readonly text: Path;
}

/** Locations of records by collection and name. */
export type WrittenRecords = Readonly<Record<ChangeableCollection, ReadonlyMap<string, WrittenRecord>>>;

/**
 * The position of an error of the suite, which starts with a path in the change: `policy.condition.cypher: … (line 1, column 5)`,
 * `record.status: …` or `name: …`.
 */
export const placeInRecord = (written: WrittenRecord, fault: string): Place => {
  const { collection, source, whole, record, text } = written;
  const isInRecord = fault.startsWith("record.");
  // Files refer to the policy of a query by name; requests may have its id.
  const path = fault.slice(isInRecord ? "record.".length : 0).replace(/^policy_id\b/, "policy");
  const [field] = path.split(/[.[:]/, 1);
  if (field === folders[collection].text) return languageFaultPlace(source, text, path);
  return languageFaultPlace(source, field === "name" && !isInRecord ? whole : record, `record.${path}`);
};
