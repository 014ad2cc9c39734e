import type { TokenIntrospectRecord } from "@ikg/client";
import { RecordList } from "../records/record-list.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { introspectKind } from "./introspect-kind.tsx";
import { TokenTester } from "./tester/token-tester.tsx";

/** Whose tokens are accepted, and a tester for one. */
export const IntrospectsTab = ({ projectId }: { readonly projectId: string }) => (
  <RecordList<TokenIntrospectRecord>
    projectId={projectId}
    kind={introspectKind}
    purpose="A token introspection defines whose tokens are accepted, and which node of the graph a token stands for."
  >
    {(introspects) => <TokenTester projectId={projectId} introspects={introspects} />}
  </RecordList>
);

interface IntrospectPageProps {
  readonly projectId: string;
  readonly name: string;
}

export const IntrospectPage = ({ projectId, name }: IntrospectPageProps) => (
  <RecordPage projectId={projectId} kind={introspectKind} name={name} />
);
