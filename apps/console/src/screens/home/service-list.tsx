import { Icon } from "../../components/icon.tsx";
import { Loaded } from "../../queries/loaded.tsx";
import { Note } from "../../components/note.tsx";
import { useMay } from "../../session/use-admin.ts";
import { serviceStates } from "./service-states.ts";
import { useServices } from "./use-home.ts";

const looks = {
  good: { className: "tag good", icon: "check" },
  warn: { className: "tag warn", icon: "warning" },
  bad: { className: "tag bad", icon: "warning" },
} as const;

const list = new Intl.ListFormat("en", { type: "conjunction" });

/** Every service of the suite: whether it is ready, and in which version. */
export const ServiceList = () => {
  const query = useServices();
  if (!useMay()("read_suite_status")) return null;
  return (
    <Loaded query={query} what="the state of the services">
      {(status) => {
        const { services, versions } = serviceStates(status);
        const isMixed = versions.length > 1;
        return (
          <div className="card stack tight services">
            <span className="label" id="home-services">
              Services{!isMixed && versions.length === 1 && `, version ${versions[0]}`}
            </span>
            <ul aria-labelledby="home-services">
              {services.map(({ service, tone, text, versions: own }) => (
                <li key={service} className={looks[tone].className}>
                  <Icon name={looks[tone].icon} />
                  {service}: {text}
                  {isMixed &&
                    own.length > 0 &&
                    `, ${own.length === 1 ? "version" : "versions"} ${list.format(own)}`}
                </li>
              ))}
            </ul>
            {isMixed && (
              <Note tone="info">
                <p>
                  Upgrade in progress: services of the versions {list.format(versions)} are running. It is
                  complete when all services run the same version.
                </p>
              </Note>
            )}
          </div>
        );
      }}
    </Loaded>
  );
};
