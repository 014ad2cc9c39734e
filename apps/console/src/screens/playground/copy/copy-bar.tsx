import { useMutation } from "@tanstack/react-query";
import { CopyButton } from "../../../components/copy-button.tsx";
import { download } from "../../../snippets/download.ts";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Note } from "../../../components/note.tsx";
import { permalink } from "../../../snippets/permalink.ts";
import { tokenClaims } from "../../../snippets/token-claims.ts";
import { baseUrl } from "../../../session/base-url.ts";
import { useAdmin, useMay } from "../../../session/use-admin.ts";
import type { Answer } from "../answer/ask.ts";
import type { QuestionResult } from "../use-playground.ts";
import { clientCodeOf } from "./client-code.ts";
import { curlOf } from "./curl.ts";
import { policyTestOf } from "./policy-test.ts";
import { readTestParts } from "./read-test-parts.ts";

interface CopyBarProps {
  readonly projectId: string;
  readonly result: QuestionResult;
}

/** Takes the question along: as a link, a command, code, or a policy test. */
export const CopyBar = ({ projectId, result }: CopyBarProps) => {
  const { question, answer, token } = result;
  const options = { baseUrl: baseUrl(), hasToken: token !== undefined };
  return (
    <div className="copy-bar" role="group" aria-label="Take the question along">
      <CopyButton label="Link" text={() => permalink(projectId)} />
      <CopyButton label="curl" text={() => curlOf(question, options)} />
      <CopyButton label="Client code" text={() => clientCodeOf(question, options)} />
      {answer.kind === "decision" && <TestButton projectId={projectId} answer={answer} result={result} />}
    </div>
  );
};

interface TestButtonProps extends CopyBarProps {
  readonly answer: Extract<Answer, { kind: "decision" }>;
}

const TestButton = ({ projectId, answer, result: { token, at } }: TestButtonProps) => {
  const admin = useAdmin(projectId);
  const mayReadGraph = useMay()("read_node", projectId);
  const { question, decision, isUnexplained } = answer;
  const claims = token === undefined ? undefined : tokenClaims(token);
  const save = useMutation({
    mutationFn: async () => {
      const parts = await readTestParts(admin, question, decision, mayReadGraph);
      return policyTestOf({ ...parts, claims, at });
    },
    onSuccess: (text) => download("playground.ikg.json", text),
  });
  if (isUnexplained) return null;
  return (
    <>
      <button type="button" className="button small" disabled={save.isPending} onClick={() => save.mutate()}>
        <Icon name="download" />
        Policy test
      </button>
      {save.isError && <ErrorNote error={save.error} title="The test could not be written" />}
      {save.isSuccess && (!mayReadGraph || token !== undefined) && (
        <Note tone={mayReadGraph && claims !== undefined ? "info" : "warn"}>
          {!mayReadGraph && <p>You cannot read the graph: add the properties that the policies compare.</p>}
          {token !== undefined && <TokenRemark hasClaims={claims !== undefined} />}
        </Note>
      )}
    </>
  );
};

const TokenRemark = ({ hasClaims }: { readonly hasClaims: boolean }) => (
  <p>
    {hasClaims ? (
      <>
        The claims of the token are in the file, under <code>people</code>; the token is not.
      </>
    ) : (
      <>
        The token is opaque: add its claims to the file, under <code>people</code>.
      </>
    )}
  </p>
);
