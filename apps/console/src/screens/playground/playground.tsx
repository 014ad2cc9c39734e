import { Tabs } from "radix-ui";
import { useCurrentProject } from "../../app/current-project.ts";
import { screens } from "../../app/navigation.ts";
import { Empty } from "../../components/empty.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { Loading } from "../../components/loading.tsx";
import { Screen } from "../../components/screen.tsx";
import { scrollToResult } from "../../components/scroll-to-result.ts";
import { useCurrentInSight } from "../../components/use-current-in-sight.ts";
import { ApplicationKeyPanel } from "../../session/application-key-panel.tsx";
import { AnswerView } from "./answer/answer-view.tsx";
import { CopyBar } from "./copy/copy-bar.tsx";
import "./playground.css";
import { type Mode, modes } from "./question/playground-search.ts";
import { QuestionForm } from "./question/question-form.tsx";
import { RuleStarts } from "./question/rule-starts.tsx";
import { usePlayground } from "./use-playground.ts";
import { useRules } from "./use-rules.ts";

const titles: Readonly<Record<Mode, string>> = {
  decision: "Decision",
  batch: "Batch",
  resources: "Which resources",
  subjects: "Which subjects",
  actions: "Which actions",
};

const isMode = (value: string): value is Mode => modes.some((each) => each === value);

/** Requests decisions and searches, and explains the answers. */
export const Playground = () => {
  const project = useCurrentProject();
  return (
    <Screen title={screens.playground.title} question={screens.playground.question}>
      {project !== undefined && <OfProject projectId={project.id} />}
    </Screen>
  );
};

const OfProject = ({ projectId }: { readonly projectId: string }) => {
  const playing = usePlayground(projectId);
  const { draft, change, token, setToken, errors, askFor, asking, hasKey } = playing;
  const rules = useRules(projectId);
  const bar = useCurrentInSight<HTMLDivElement>('[data-state="active"]', draft.mode);
  return (
    <Tabs.Root
      value={draft.mode}
      onValueChange={(mode) => isMode(mode) && change({ ...draft, mode })}
      className="playground"
    >
      <Tabs.List className="tabs-list" aria-label="What to ask" ref={bar}>
        {modes.map((mode) => (
          <Tabs.Trigger key={mode} value={mode}>
            {titles[mode]}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value={draft.mode} className="playground-content" tabIndex={-1}>
        <div className="playground-question stack">
          <ApplicationKeyPanel projectId={projectId} />
          <div className="card stack">
            {draft.mode !== "batch" && rules !== undefined && rules.length > 0 && (
              <RuleStarts
                rules={rules}
                onStart={({ subject, actions, resource }) =>
                  change({
                    ...draft,
                    subject_type: subject,
                    action: actions[0] ?? "",
                    resource_type: resource,
                    ...(draft.subject_type !== subject && { subject: "" }),
                    ...(draft.resource_type !== resource && { resource: "" }),
                  })
                }
              />
            )}
            <QuestionForm
              projectId={projectId}
              draft={draft}
              onChange={change}
              token={token}
              onToken={setToken}
              errors={errors}
              rules={rules ?? []}
              onAsk={() => askFor(draft)}
              blocked={hasKey ? undefined : "Needs a key, above."}
              isBusy={asking.isPending}
            />
          </div>
        </div>
        <div className="playground-answer">
          <AnswerPart projectId={projectId} playing={playing} isWithoutRules={rules?.length === 0} />
        </div>
      </Tabs.Content>
    </Tabs.Root>
  );
};

type Playing = ReturnType<typeof usePlayground>;

interface AnswerPartProps {
  readonly projectId: string;
  readonly playing: Playing;
  readonly isWithoutRules: boolean;
}

const AnswerPart = ({ projectId, playing, isWithoutRules }: AnswerPartProps) => {
  const { asking, askFor, isWaiting, hasKey } = playing;
  if (asking.isPending) return <Loading what="the answer" />;
  if (asking.isError) return <ErrorNote error={asking.error} title="Not decided" />;
  if (asking.data === undefined)
    return isWaiting && !hasKey ? <NeedsKey /> : <NoAnswer isWithoutRules={isWithoutRules} />;
  const { draft, number, answer } = asking.data;
  return (
    <div className="stack" key={number} ref={scrollToResult}>
      <CopyBar projectId={projectId} result={asking.data} />
      <AnswerView
        projectId={projectId}
        answer={answer}
        // Of the question that was asked, whatever was typed since.
        onExplain={(changes) => askFor({ ...draft, mode: "decision", ...changes })}
      />
    </div>
  );
};

/** The question of a link, before there is a key to ask it with. */
const NeedsKey = () => (
  <Empty title="This question was not asked yet">
    <p>
      It needs an application key, which a link never contains. Create or paste one: the question is then
      asked at once.
    </p>
  </Empty>
);

const NoAnswer = ({ isWithoutRules }: Pick<AnswerPartProps, "isWithoutRules">) => (
  <Empty title={isWithoutRules ? "There is no active policy yet" : "The answer appears here"}>
    <p>
      {isWithoutRules
        ? "Nothing is allowed until a policy allows it: every decision will be a denial."
        : "Fill in the question, or start from a policy, and ask. The answer says which policy decided, and why the others did not."}
    </p>
  </Empty>
);
