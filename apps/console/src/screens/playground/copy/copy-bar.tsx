import { useMutation } from "@tanstack/react-query";
import { CopyButton } from "../../../parts/copy-button.tsx";
import { download } from "../../../parts/download.ts";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { Note } from "../../../parts/note.tsx";
import { baseUrl } from "../../../session/base-url.ts";
import { useAdmin, useMay } from "../../../session/use-admin.ts";
import type { Answer } from "../answer/ask.ts";
import type { Question } from "../question/question.ts";
import { clientCodeOf } from "./client-code.ts";
import { curlOf } from "./curl.ts";
import { policyTestOf } from "./policy-test.ts";
import { readTestParts } from "./read-test-parts.ts";

interface CopyBarProps {
  readonly projectId: string;
  readonly question: Question;
  readonly answer: Answer;
  readonly hasToken: boolean;
}

/** Takes the question along: as a link, a command, code, or a policy test. */
export const CopyBar = ({ projectId, question, answer, hasToken }: CopyBarProps) => {
  const options = { baseUrl: baseUrl(), hasToken };
  return (
    <div className="copy-bar" role="group" aria-label="Take the question along">
      <CopyButton label="Link" text={() => location.href} />
      <CopyButton label="curl" text={() => curlOf(question, options)} />
      <CopyButton label="Client code" text={() => clientCodeOf(question, options)} />
      {answer.kind === "decision" && <TestButton projectId={projectId} answer={answer} hasToken={hasToken} />}
    </div>
  );
};

interface TestButtonProps {
  readonly projectId: string;
  readonly answer: Extract<Answer, { kind: "decision" }>;
  readonly hasToken: boolean;
}

const TestButton = ({ projectId, answer, hasToken }: TestButtonProps) => {
  const admin = useAdmin(projectId);
  const mayReadGraph = useMay()("read_node", projectId);
  const { question, decision, isUnexplained } = answer;
  const save = useMutation({
    mutationFn: async () => policyTestOf(await readTestParts(admin, question, decision, mayReadGraph)),
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
      {save.isSuccess && (!mayReadGraph || hasToken) && (
        <Note tone="warn">
          {!mayReadGraph && (
            <p>Your roles do not read the graph: add the properties that the policies compare.</p>
          )}
          {hasToken && (
            <p>
              A token is not part of the file: add its claims under <code>people</code>.
            </p>
          )}
        </Note>
      )}
    </>
  );
};
