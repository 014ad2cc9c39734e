import type { CursorPage, RecordVersion } from "@ikg/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Difference } from "../../../parts/code/difference.tsx";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { Instant } from "../../../parts/instant.tsx";
import { Loading } from "../../../parts/loading.tsx";
import { PlainText } from "../../../parts/plain-text.tsx";
import { useAdmin, useMay } from "../../../session/use-admin.ts";
import { useSession } from "../../../session/use-session.ts";
import { readableText } from "../draft/readable.ts";
import type { ReadPolicy } from "../draft/use-policy-draft.ts";
import type { ImpactInputs } from "../impact/impact-of.ts";
import { RollbackDialog } from "./rollback-dialog.tsx";
import { useVersion } from "./use-version.ts";

interface VersionsProps {
  readonly projectId: string;
  readonly policy: ReadPolicy;
  readonly inputs: ImpactInputs;
  readonly onRolledBack: (version: number) => void;
}

type VersionPage = CursorPage<RecordVersion>;

const pageSize = 25;

const useVersions = (projectId: string, id: string) => {
  const admin = useAdmin(projectId);
  return useInfiniteQuery({
    queryKey: ["versions", id],
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }: VersionPage) => cursor,
    queryFn: async ({ pageParam: cursor, signal }): Promise<VersionPage> => {
      const first = await admin.policies.versions(id, { signal, pageSize, cursor }).pages().next();
      return first.done === true ? { items: [], cursor: undefined } : first.value;
    },
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
};

/** Every version of a policy, what differs between two, and the way back. */
export const Versions = ({ projectId, policy, inputs, onRolledBack }: VersionsProps) => {
  const query = useVersions(projectId, policy.record.id);
  const [chosen, setChosen] = useState<{ from: number; to: number }>();
  const [rolledBack, setRolledBack] = useState<number>();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = query;
  if (data === undefined)
    return error === null ? (
      <Loading what="the versions" />
    ) : (
      <ErrorNote error={error} title="Could not read the versions" onRetry={() => refetch()} />
    );
  const [current, former] = data;
  const compared = chosen ?? (current && former && { from: former.version, to: current.version });
  return (
    <div className="stack">
      <VersionTable
        projectId={projectId}
        versions={data}
        compared={compared}
        onCompare={(from, to) => setChosen({ from, to })}
        onRollBack={setRolledBack}
      />
      {hasNextPage && (
        <button
          type="button"
          className="button small start"
          disabled={isFetching}
          onClick={() => void fetchNextPage()}
        >
          Older versions
        </button>
      )}
      {compared === undefined ? (
        <p className="hint">There is one version: nothing to compare it with yet.</p>
      ) : (
        <Compared
          projectId={projectId}
          id={policy.record.id}
          versions={data}
          compared={compared}
          onCompare={(from, to) => setChosen({ from, to })}
        />
      )}
      {rolledBack !== undefined && current !== undefined && (
        <RollbackDialog
          projectId={projectId}
          policy={policy}
          version={rolledBack}
          inputs={inputs}
          onClose={() => setRolledBack(undefined)}
          onRolledBack={() => {
            setRolledBack(undefined);
            setChosen(undefined);
            onRolledBack(rolledBack);
          }}
        />
      )}
    </div>
  );
};

interface TableProps {
  readonly projectId: string;
  readonly versions: readonly RecordVersion[];
  readonly compared: { readonly from: number; readonly to: number } | undefined;
  readonly onCompare: (from: number, to: number) => void;
  readonly onRollBack: (version: number) => void;
}

const VersionTable = ({ projectId, versions, compared, onCompare, onRollBack }: TableProps) => {
  const mayRollBack = useMay()("rollback_authorization_policy", projectId);
  const session = useSession();
  const self = session.status === "signed_out" ? undefined : session.administrator;
  const selfId = self?.type === "service_account" ? self.id : self?.sub;
  return (
    <div className="table-scroll" role="region" aria-label="Versions" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Saved</th>
            <th scope="col">By</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {versions.map(({ version, create_time: at, created_by: by }, index) => {
            const before = versions[index + 1]?.version;
            const isShown = compared?.to === version && compared.from === before;
            return (
              <tr key={version} aria-current={isShown ? "true" : undefined}>
                <td>
                  {version} {index === 0 && <span className="tag good">current</span>}
                </td>
                <td>
                  <Instant at={at} />
                </td>
                <td className="wide">{by === selfId ? "you" : <PlainText text={by} limit={48} mono />}</td>
                <td>
                  <span className="row nowrap">
                    {before !== undefined && (
                      <button
                        type="button"
                        className="button small"
                        aria-pressed={isShown}
                        onClick={() => onCompare(before, version)}
                      >
                        What changed
                      </button>
                    )}
                    {mayRollBack && index > 0 && (
                      <button type="button" className="button small" onClick={() => onRollBack(version)}>
                        Roll back to it
                      </button>
                    )}
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
};

interface ComparedProps {
  readonly projectId: string;
  readonly id: string;
  readonly versions: readonly RecordVersion[];
  readonly compared: { readonly from: number; readonly to: number };
  readonly onCompare: (from: number, to: number) => void;
}

const Compared = ({ projectId, id, versions, compared: { from, to }, onCompare }: ComparedProps) => {
  const [former, latter] = [useVersion(projectId, id, from), useVersion(projectId, id, to)];
  const error = former.error ?? latter.error;
  const choices = versions.map(({ version }) => (
    <option key={version} value={version}>
      Version {version}
    </option>
  ));
  return (
    <section className="stack tight" aria-label="Compare two versions">
      <div className="row compare-bar">
        <h2>Compare</h2>
        <select
          aria-label="Former version"
          value={from}
          onChange={(event) => onCompare(Number(event.target.value), to)}
        >
          {choices}
        </select>
        <span aria-hidden="true">→</span>
        <select
          aria-label="Latter version"
          value={to}
          onChange={(event) => onCompare(from, Number(event.target.value))}
        >
          {choices}
        </select>
      </div>
      {error !== null ? (
        <ErrorNote error={error} title="A version could not be read" />
      ) : former.data === undefined || latter.data === undefined ? (
        <Loading what="both versions" />
      ) : (
        <Difference
          formerLabel={`Version ${from}`}
          former={readableText(former.data)}
          latterLabel={`Version ${to}`}
          latter={readableText(latter.data)}
        />
      )}
    </section>
  );
};
