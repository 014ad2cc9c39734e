import { useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { type RecordSearch, recordSearch } from "./decisions-search.ts";

/** What the address asks for: the same object as long as that is the same. */
export const useDecisionsSearch = (): RecordSearch => {
  const text = JSON.stringify(recordSearch({ ...useSearch({ strict: false }) }));
  return useMemo(() => JSON.parse(text) as RecordSearch, [text]); // written above
};
