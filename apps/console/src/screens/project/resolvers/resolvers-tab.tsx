import type { ExternalDataResolverRecord } from "@ikg/client";
import { RecordList } from "../records/record-list.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { ResolverTrial } from "./resolver-trial.tsx";
import { resolverKind } from "./resolver-kind.tsx";

/** From where values come that the graph does not hold. */
export const ResolversTab = ({ projectId }: { readonly projectId: string }) => (
  <RecordList<ExternalDataResolverRecord>
    projectId={projectId}
    kind={resolverKind}
    purpose="A resolver fetches the value of a property from another service when a knowledge query returns it."
  />
);

interface ResolverPageProps {
  readonly projectId: string;
  readonly name: string;
}

export const ResolverPage = ({ projectId, name }: ResolverPageProps) => (
  <RecordPage projectId={projectId} kind={resolverKind} name={name}>
    {(resolver) => <ResolverTrial projectId={projectId} resolver={resolver} />}
  </RecordPage>
);
