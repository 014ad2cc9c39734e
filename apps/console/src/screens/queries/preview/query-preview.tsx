import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Empty } from "../../../components/empty.tsx";
import type { Sample } from "../../../editors/statements/sample.ts";
import { SampleForm } from "../../../editors/statements/sample-form.tsx";
import { Statements } from "../../../editors/statements/statements.tsx";
import type { Sampling } from "../../../editors/statements/use-sampling.ts";
import { useAdmin, useMay } from "../../../session/use-admin.ts";
import { parametersIn } from "../allowed/allowed.ts";
import { type QueryDraft, textOf } from "../draft/draft.ts";
import { validatedFields } from "../draft/use-validation.ts";
import type { QueryPolicy } from "../use-query-policies.ts";

interface QueryPreviewProps {
  readonly projectId: string;
  readonly draft: QueryDraft;
  /** The one that it runs under; undefined while none is chosen, or it is not read. */
  readonly policy: QueryPolicy | undefined;
  readonly sampling: Sampling;
}

const usePreview = (projectId: string, draft: QueryDraft, sample: Sample | undefined) => {
  const admin = useAdmin(projectId);
  const fields = validatedFields(draft);
  const query = useQuery({
    queryKey: ["query-preview", projectId, JSON.stringify(fields), JSON.stringify(sample)],
    enabled: fields !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      if (fields === undefined) throw new Error("A field does not contain valid JSON.");
      const options = { preview: true, ...(sample !== undefined && { sample }) };
      return (await admin.queries.validate(fields, options, { signal })).statements ?? [];
    },
  });
  return { query, isText: fields !== undefined };
};

/** Applications of the project, where the policy is about the one that calls; undefined where their ids have to be typed. */
const useApplications = (projectId: string, policy: QueryPolicy | undefined) => {
  const admin = useAdmin(projectId);
  const isOfApplication = policy?.allowed.subjectType === "_Application";
  const { data } = useQuery({
    queryKey: ["applications", projectId],
    enabled: useMay()("list_applications", projectId) && isOfApplication,
    queryFn: ({ signal }) => admin.applications.list({ signal }),
  });
  return isOfApplication && data !== undefined && data.length > 0 ? data : undefined;
};

/** The parameters that query and policy name, without values; empty where they name none. */
const exampleOf = (draft: QueryDraft, policy: QueryPolicy | undefined): string => {
  const { cypher = "", filters = "" } = policy?.allowed ?? {};
  const names = parametersIn(cypher, filters, textOf(draft) ?? "");
  return names.length === 0 ? "" : `{${names.map((name) => `"${name}": …`).join(", ")}}`;
};

/** What the suite runs for the query as it is typed, and what it costs. */
export const QueryPreview = ({ projectId, draft, policy, sampling }: QueryPreviewProps) => {
  const { query, isText } = usePreview(projectId, draft, sampling.sample);
  const subjects = useApplications(projectId, policy);
  const maySample = useMay()("simulate", projectId);
  return (
    <div className="stack">
      <p className="lead">
        The Cypher that runs for this query, as it is typed, with the pattern and the filters of its policy,
        and the plan of the database for it.
      </p>
      {maySample && (
        <SampleForm
          sampling={sampling}
          subjects={subjects}
          hasResource={false}
          exampleParams={exampleOf(draft, policy)}
          isBusy={query.isFetching}
        />
      )}
      {isText ? (
        <Statements kind="query" query={query} />
      ) : (
        <Empty title="Cannot be shown yet">
          <p>{draft.policyId === "" ? "Choose a policy first." : "A field does not contain valid JSON."}</p>
        </Empty>
      )}
    </div>
  );
};
