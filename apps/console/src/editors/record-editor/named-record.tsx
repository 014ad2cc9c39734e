import { isNotFound } from "@ikg/client";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Empty } from "../../components/empty.tsx";
import { Loaded } from "../../queries/loaded.tsx";
import { displayText } from "../../text/display-text.ts";
import { Screen } from "../../components/screen.tsx";

interface NamedRecordProps<Read> {
  /** As "policy" or "query". */
  readonly kind: string;
  readonly name: string;
  readonly question: string;
  readonly query: UseQueryResult<Read>;
  /** The way to the list. */
  readonly all: ReactNode;
  readonly children: (read: Read) => ReactNode;
}

/** The page of a record by the name in the address: until it is read, and where there is none of this name. */
export const NamedRecord = <Read,>({
  kind,
  name,
  question,
  query,
  all,
  children,
}: NamedRecordProps<Read>) => {
  const isAbsent = isNotFound(query.error);
  const loaded = (
    <Loaded query={query} what={`the ${kind}`}>
      {children}
    </Loaded>
  );
  if (query.data !== undefined && !isAbsent) return loaded;
  return (
    <Screen title={displayText(name, 80)} question={question}>
      {isAbsent ? (
        <Empty title={`There is no such ${kind}`}>
          <p>It may have been removed, or be in another project, or its name is mistyped.</p>
          {all}
        </Empty>
      ) : (
        loaded
      )}
    </Screen>
  );
};
