import type { TrustScoreProfileRecord } from "@ikg/client";
import { RecordList } from "../records/record-list.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { ProfileRuns } from "./profile-runs-view.tsx";
import { trustKind } from "./trust-kind.tsx";

type Profile = TrustScoreProfileRecord;

const runningMs = 2_000;

const isRunning = ({ current_run: current }: Profile): boolean => current !== undefined;

/** How much the data of the graph is trusted, by type. */
export const TrustTab = ({ projectId }: { readonly projectId: string }) => (
  <RecordList<Profile>
    projectId={projectId}
    kind={trustKind}
    purpose="A trust score profile says how the nodes of a type are scored, from 0 to 1, and how often."
    refetchInterval={(rows) => rows?.some(isRunning) === true && runningMs}
  />
);

interface TrustPageProps {
  readonly projectId: string;
  readonly name: string;
}

export const TrustPage = ({ projectId, name }: TrustPageProps) => (
  <RecordPage<Profile>
    projectId={projectId}
    kind={trustKind}
    name={name}
    refetchInterval={(row) =>
      row !== undefined && (isRunning(row) || row.last_run_end_time === "") && runningMs
    }
  >
    {(profile) => <ProfileRuns profile={profile} />}
  </RecordPage>
);
