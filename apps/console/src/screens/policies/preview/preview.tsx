import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Empty } from "../../../components/empty.tsx";
import type { Sample } from "../../../editors/statements/sample.ts";
import { SampleForm } from "../../../editors/statements/sample-form.tsx";
import { Statements } from "../../../editors/statements/statements.tsx";
import type { Sampling } from "../../../editors/statements/use-sampling.ts";
import { useAdmin, useMay } from "../../../session/use-admin.ts";
import type { PolicyDraft } from "../draft/draft.ts";
import { validatedFields } from "../draft/use-validation.ts";

interface PreviewProps {
  readonly projectId: string;
  readonly draft: PolicyDraft;
  readonly sampling: Sampling;
}

const usePreview = (projectId: string, draft: PolicyDraft, sample: Sample | undefined) => {
  const admin = useAdmin(projectId);
  const fields = validatedFields(draft);
  const query = useQuery({
    queryKey: ["preview", projectId, JSON.stringify(fields), JSON.stringify(sample)],
    enabled: fields !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      if (fields === undefined) throw new Error("A field does not contain valid JSON.");
      const options = { preview: true, ...(sample !== undefined && { sample }) };
      return (await admin.policies.validate(fields, options, { signal })).statements ?? [];
    },
  });
  return { query, isText: fields !== undefined };
};

/** What the suite runs for the policy, and what it costs. */
export const Preview = ({ projectId, draft, sampling }: PreviewProps) => {
  const { query, isText } = usePreview(projectId, draft, sampling.sample);
  const maySample = useMay()("simulate", projectId);
  const isForQueries = draft.rule.mode === "form" && draft.rule.form.kind === "queries";
  return (
    <div className="stack">
      <p className="lead">
        The Cypher that runs for this policy, as it is typed, and the plan of the database for it.
      </p>
      {maySample && (
        <SampleForm
          sampling={sampling}
          hasResource={!isForQueries}
          exampleParams='{"min_hours": 100}'
          isBusy={query.isFetching}
        />
      )}
      {isText ? (
        <Statements kind="policy" query={query} />
      ) : (
        <Empty title="Cannot be shown yet">
          <p>A field does not contain valid JSON.</p>
        </Empty>
      )}
    </div>
  );
};
