/** Configuration records of the demo: found by name, or made. A start that broke off half way is continued so. */
import { attempt } from "./attempt.ts";

interface Named<New, Row> {
  list(): Promise<readonly Row[]>;
  create(fields: New): Promise<Row>;
}

/** The record of that name; made when it is not there. */
export const ensureRecord = async <
  New extends { readonly name: string },
  Row extends { readonly name: string },
>(
  collection: Named<New, Row>,
  fields: New,
): Promise<Row> => {
  const found = (await attempt(() => collection.list())).find(({ name }) => name === fields.name);
  return found ?? attempt(() => collection.create(fields));
};
