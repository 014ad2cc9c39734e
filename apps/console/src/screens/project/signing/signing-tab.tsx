import type { AuditSigningRecord } from "@ikg/client";
import { RecordList } from "../records/record-list.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { signingKind } from "./signing-kind.tsx";
import { SigningState } from "./signing-state-view.tsx";

/** Which key signs the audit trail. */
export const SigningTab = ({ projectId }: { readonly projectId: string }) => (
  <RecordList<AuditSigningRecord>
    projectId={projectId}
    kind={signingKind}
    withoutAny="The platform's key signs."
    purpose="The audit trail is signed by the platform's key, or by a key of yours that never leaves its provider."
  >
    {(signings) => <SigningState projectId={projectId} signings={signings} />}
  </RecordList>
);

interface SigningPageProps {
  readonly projectId: string;
  readonly name: string;
}

export const SigningPage = ({ projectId, name }: SigningPageProps) => (
  <RecordPage projectId={projectId} kind={signingKind} name={name} />
);
