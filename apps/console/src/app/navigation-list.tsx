import { Link, useLocation } from "@tanstack/react-router";
import { Icon } from "../components/icon.tsx";
import { useCurrentInSight } from "../components/use-current-in-sight.ts";
import { useMay } from "../session/use-admin.ts";
import { useCurrentProject } from "./current-project.ts";
import { navigation } from "./navigation.ts";

/** The screens that the administrator's roles open. */
export const Navigation = () => {
  const may = useMay();
  const project = useCurrentProject();
  const offered = navigation.filter(({ operations }) => operations.some((each) => may(each, project?.id)));
  const { pathname } = useLocation();
  // What is offered may change with the project, and with it where the current entry stands.
  const bar = useCurrentInSight<HTMLElement>(
    '[aria-current="page"]',
    [pathname, ...offered.map(({ to }) => to)].join(" "),
  );
  return (
    <nav className="shell-nav" aria-label="Screens" ref={bar}>
      <ul>
        {offered.map(({ to, title, question, icon }) => (
          <li key={to}>
            <Link to={to} title={question} activeOptions={{ exact: to === "/", includeSearch: false }}>
              <Icon name={icon} />
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};
