import type { ProjectRecord } from "@ikg/client";
import { Icon } from "../../components/icon.tsx";
import { Note } from "../../components/note.tsx";
import { PlainText } from "../../components/plain-text.tsx";
import { ServiceList } from "./service-list.tsx";
import { type Recent, recentMinutes, useReadiness, useRecent } from "./use-home.ts";

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly tone?: "good" | "bad" | undefined;
}

const Figure = ({ label, value, tone }: FigureProps) => (
  <div className="card figure">
    <dt>{label}</dt>
    <dd className={tone}>
      {tone !== undefined && <Icon name={tone === "good" ? "check" : "warning"} />}
      {value}
    </dd>
  </div>
);

const ServiceFigure = () => {
  const { data, isError } = useReadiness();
  if (isError) return <Figure label="Gateway" value="not reachable" tone="bad" />;
  if (data === undefined) return <Figure label="Gateway" value="…" />;
  const version = data.version === undefined ? "" : `, version ${data.version}`;
  return (
    <Figure
      label="Gateway"
      value={`${data.isReady ? "ready" : "not ready"}${version}`}
      tone={data.isReady ? "good" : "bad"}
    />
  );
};

const rate = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 2 });

const smallestRate = 0.01;

/** The mean of the time that is read; where there are more records than that it is a minimum. */
const rateText = ({ allowed, denied, isPartial }: Recent): string => {
  const perSecond = (allowed + denied) / (recentMinutes * 60);
  if (perSecond > 0 && perSecond < smallestRate) return `below ${rate.format(smallestRate)}`;
  return `${isPartial ? "at least " : ""}${rate.format(perSecond)}`;
};

const states = { ACTIVE: "ready", PENDING: "being created", FAILED: "failed" } as const;

/** The state of the gateway and of the graph of the project, and the decisions of the last hour. */
export const Health = ({ project }: { readonly project: ProjectRecord }) => {
  const recent = useRecent(project.id);
  const tone = project.ikg_status === "FAILED" ? "bad" : project.ikg_status === "ACTIVE" ? "good" : undefined;
  return (
    <section className="stack" aria-label="State">
      {project.ikg_status_reason !== undefined && (
        <Note tone="warn">
          <p>
            The graph of this project needs attention:{" "}
            <PlainText text={project.ikg_status_reason} limit={500} />
          </p>
        </Note>
      )}
      <dl className="figures">
        <ServiceFigure />
        <Figure label="Graph of the project" value={states[project.ikg_status]} tone={tone} />
        {recent.data !== undefined && (
          <>
            <Figure
              label={`Decisions in ${recentMinutes} min`}
              value={`${recent.data.allowed} allowed, ${recent.data.denied} denied`}
            />
            <Figure label="Decisions per second" value={rateText(recent.data)} />
            <Figure
              label={`Errors in ${recentMinutes} min`}
              value={String(recent.data.failed)}
              tone={recent.data.failed > 0 ? "bad" : undefined}
            />
          </>
        )}
      </dl>
      <ServiceList />
      {recent.data?.isPartial === true && (
        <Note tone="info">
          <p>Only the newest audit records are read; the figures are minimums.</p>
        </Note>
      )}
    </section>
  );
};
