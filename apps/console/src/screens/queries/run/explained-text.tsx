import type { QueryExplanation } from "@ikg/client";
import { useQuery } from "@tanstack/react-query";
import { isObject, objectOf, textOf } from "../../../text/json.ts";
import { Loaded } from "../../../queries/loaded.tsx";
import { MarkedText } from "../../../components/marked-text/marked-text.tsx";
import { markPart, markPath } from "../../../components/marked-text/segments.ts";
import { PlainText } from "../../../components/plain-text.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import { isOfPolicy } from "./counts.ts";

interface ExplainedTextProps {
  readonly projectId: string;
  readonly explanation: QueryExplanation;
  /** Of the filter that is marked; undefined: the part of the pattern, where one failed. */
  readonly path: string | undefined;
}

/** The text of the policy or query in the version that ran, with what left out rows marked in it. */
export const ExplainedText = ({ projectId, explanation, path }: ExplainedTextProps) => {
  const { part } = explanation;
  if (path === undefined && part === undefined) return null;
  const isPolicy = path === undefined || isOfPolicy(path);
  const { id, version, name } = isPolicy ? explanation.policy : explanation.query;
  return (
    <div className="stack tight">
      <p className="label">
        {path === undefined ? "Pattern" : "Filter"} of the {isPolicy ? "policy" : "query"}{" "}
        <PlainText text={name} limit={80} />, version {version}
      </p>
      <VersionText key={`${id} ${version}`} {...{ projectId, id, version, path, part, isPolicy }} />
    </div>
  );
};

interface VersionTextProps {
  readonly projectId: string;
  readonly id: string;
  readonly version: number;
  readonly path: string | undefined;
  readonly part: QueryExplanation["part"];
  readonly isPolicy: boolean;
}

const VersionText = ({ projectId, id, version, path, part, isPolicy }: VersionTextProps) => {
  const admin = useAdmin(projectId);
  const query = useQuery({
    queryKey: ["version-text", id, version],
    // A version never changes.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      isPolicy
        ? (await admin.policies.get(id, { version, signal })).policy
        : (await admin.queries.get(id, { version, signal })).query,
  });
  return (
    <Loaded query={query} what="the text">
      {(text) => {
        const content = objectOf(text) ?? {};
        const { condition } = content;
        const owner = isPolicy ? (isObject(condition) ? condition : {}) : content;
        const filterPath = isPolicy ? "policy.condition.filter" : "query.filter";
        return path === undefined ? (
          <MarkedText
            label="Pattern of the policy that ran"
            segments={markPart(textOf(owner["cypher"]), part)}
          />
        ) : (
          <MarkedText label="Filter that ran" segments={markPath(owner["filter"], filterPath, path)} />
        );
      }}
    </Loaded>
  );
};
