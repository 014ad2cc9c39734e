import type { TrustScoreProfileRecord } from "@ikg/client";
import { Instant } from "../../../components/instant.tsx";
import { Facts } from "../records/facts.tsx";
import type { Fact } from "../records/record-kind-view.ts";
import { nextRun, runSeconds } from "./profile-runs.ts";
import { dimensionText } from "./weights.ts";

type Profile = TrustScoreProfileRecord;

const factsOf = (profile: Profile): readonly Fact[] => {
  const seconds = runSeconds(profile);
  const next = nextRun(profile, Date.now());
  return [
    {
      label: "Last run",
      value:
        seconds === undefined ? (
          <span className="hint">none has ended yet</span>
        ) : (
          <>
            ended <Instant at={profile.last_run_end_time} />, after {seconds.toLocaleString()} s
          </>
        ),
    },
    ...(next === undefined
      ? []
      : [
          {
            label: "Next run",
            value: (
              <>
                about <Instant at={next} />
              </>
            ),
          },
        ]),
  ];
};

/** What was scored, and when it is scored again. */
export const ProfileRuns = ({ profile }: { readonly profile: Profile }) => {
  const { current_run: current, dimensions, dimensions_execution_times: times = {} } = profile;
  return (
    <section className="card stack" aria-label="Runs">
      <h2>Runs</h2>
      {current !== undefined && (
        <label className="field">
          <span className="label">
            A run since <Instant at={current.start_time} />: {current.scored.toLocaleString()} of{" "}
            {current.total.toLocaleString()} nodes
          </span>
          <progress value={current.scored} max={Math.max(1, current.total)} />
        </label>
      )}
      <Facts facts={factsOf(profile)} />
      <div className="table-scroll" role="region" aria-label="Dimensions" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Dimension</th>
              <th scope="col" className="number">
                Weight
              </th>
              <th scope="col">Scored last</th>
            </tr>
          </thead>
          <tbody>
            {dimensions.map(({ name, weight }) => {
              const time = times[name]?.execution_end_time;
              return (
                <tr key={name}>
                  <td>{dimensionText(name)}</td>
                  <td className="number">{weight}</td>
                  <td className="wide">{time === undefined ? "–" : <Instant at={time} />}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p className="hint">
        The first run starts when a profile is created, later ones by its schedule. No call starts a run; a
        changed schedule applies from the time of the change.
      </p>
    </section>
  );
};
