import { Icon } from "../../parts/icon.tsx";
import { useReadiness, useServices } from "./use-home.ts";
import type { ServiceState } from "./services.ts";

const looks = {
  up: { tone: "tag good", icon: "check", text: "answers" },
  down: { tone: "tag bad", icon: "warning", text: "does not answer" },
  unknown: { tone: "tag", icon: "question", text: "your roles do not show it" },
} as const satisfies Readonly<Record<ServiceState, { tone: string; icon: string; text: string }>>;

/** Which services answer behind the gateway. */
export const ServiceList = ({ projectId }: { readonly projectId: string }) => {
  const { data } = useServices(projectId);
  const readiness = useReadiness();
  if (data === undefined) return null;
  const version = readiness.data?.version;
  return (
    <div className="card stack tight services">
      <span className="label" id="home-services">
        Services{version !== undefined && ` of version ${version}`}
      </span>
      <ul aria-labelledby="home-services">
        {data.map(({ service, state }) => {
          const { tone, icon, text } = looks[state];
          return (
            <li key={service} className={tone}>
              <Icon name={icon} />
              {service}: {text}
            </li>
          );
        })}
      </ul>
    </div>
  );
};
