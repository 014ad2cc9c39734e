import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type DecisionsSearch, decisionsSearch } from "../decisions-search.ts";

/** Fields by their names in the address. */
export type FilterFields = Readonly<Record<string, string | undefined>>;

export interface Filter {
  /** As they are typed: the address may not have them yet. */
  readonly fields: FilterFields;
  readonly change: (fields: FilterFields) => void;
  /** Lists the records of these fields. */
  readonly apply: (fields: FilterFields) => void;
}

/** The fields of the filter, which follow the address. */
export const useFilter = (search: DecisionsSearch): Filter => {
  const navigate = useNavigate();
  const [fields, setFields] = useState<FilterFields>({ ...search });
  const [shown, setShown] = useState(search);
  // The address was changed by a link or by going back.
  if (shown !== search) {
    setShown(search);
    setFields({ ...search });
  }
  const apply = (next: FilterFields): void => {
    setFields(next);
    void navigate({ to: "/decisions", search: decisionsSearch({ ...next }) });
  };
  return { fields, change: setFields, apply };
};
