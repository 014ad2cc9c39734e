import type { KnowledgeQueryRecord } from "@ikg/client";
import { useMutation } from "@tanstack/react-query";
import { CopyButton } from "../../../components/copy-button.tsx";
import { download } from "../../../snippets/download.ts";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Note } from "../../../components/note.tsx";
import { permalink } from "../../../snippets/permalink.ts";
import { useSchema } from "../../../queries/use-schema.ts";
import { baseUrl } from "../../../session/base-url.ts";
import { useAdmin, useMay } from "../../../session/use-admin.ts";
import type { RunResult } from "../run/execute.ts";
import type { QueryPolicy } from "../use-query-policies.ts";
import { readQueryTest } from "./read-query-test.ts";
import { clientCodeOfRun, curlOfRun } from "./request.ts";

interface RunCopiesProps {
  readonly projectId: string;
  readonly record: KnowledgeQueryRecord;
  readonly policy: QueryPolicy | undefined;
  readonly result: RunResult;
}

/** Takes the run along: as a link, a command, code, or a policy test. */
export const RunCopies = (props: RunCopiesProps) => {
  const { request, credentials } = props.result;
  const options = { baseUrl: baseUrl(), hasToken: credentials.token !== undefined };
  return (
    <div className="copy-bar" role="group" aria-label="Take the run along">
      <CopyButton label="Link" text={() => permalink(props.projectId)} />
      <CopyButton label="curl" text={() => curlOfRun(request, options)} />
      <CopyButton label="Client code" text={() => clientCodeOfRun(request, options)} />
      <TestButton {...props} />
    </div>
  );
};

const TestButton = ({ projectId, record, policy, result }: RunCopiesProps) => {
  const admin = useAdmin(projectId);
  const mayExport = useMay()("export_graph", projectId);
  const schema = useSchema(projectId).data ?? undefined;
  const save = useMutation({
    mutationFn: async () => {
      if (policy === undefined) throw new Error("The policy of the query could not be loaded.");
      return readQueryTest(admin, { result, record, policy, schema, mayExport });
    },
    onSuccess: ({ text }) => download(`${record.name}.ikg.json`, text),
  });
  const isPartial = result.found.next !== undefined;
  return (
    <>
      <button
        type="button"
        className="button small"
        disabled={save.isPending || isPartial}
        title={isPartial ? "A test has every row: read the further pages first" : undefined}
        onClick={() => save.mutate()}
      >
        <Icon name="download" />
        Policy test
      </button>
      {save.isError && <ErrorNote error={save.error} title="The test could not be written" />}
      {save.isSuccess && save.data.remarks.length > 0 && (
        <Note tone="warn">
          {save.data.remarks.map((remark) => (
            <p key={remark}>{remark}</p>
          ))}
        </Note>
      )}
    </>
  );
};
