import { Link } from "@tanstack/react-router";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { DecisionsScreen } from "../decisions-screen.tsx";
import { decisionsSearch } from "../decisions-search.ts";
import { useNames } from "../records/use-names.ts";
import { useDecisionsSearch } from "../use-decisions-search.ts";
import { RecordDetails } from "./record-details.tsx";
import { useRecord } from "./use-record.ts";

/** One record, in full. */
export const RecordScreen = () => {
  const { id = "", ...list } = useDecisionsSearch();
  const search = decisionsSearch({ ...list });
  return (
    <DecisionsScreen search={search}>
      {(projectId) => (
        <>
          <p>
            <Link to="/decisions" search={search}>
              Back to the records
            </Link>
          </p>
          <OneRecord key={id} projectId={projectId} id={id} />
        </>
      )}
    </DecisionsScreen>
  );
};

const OneRecord = ({ projectId, id }: { readonly projectId: string; readonly id: string }) => {
  const names = useNames(projectId);
  return (
    <Loaded query={useRecord(projectId, id)} what="the record">
      {(found) =>
        found === null ? (
          <Empty title="No such record">
            <p>
              No signed batch of this project has the record <PlainText text={id} limit={80} mono />. A record
              is available a few seconds after it was created, for as long as the deployment keeps records.
            </p>
          </Empty>
        ) : (
          <RecordDetails projectId={projectId} found={found} names={names} />
        )
      }
    </Loaded>
  );
};
