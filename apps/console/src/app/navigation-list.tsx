import { Link } from "@tanstack/react-router";
import { Icon } from "../parts/icon.tsx";
import { useMay } from "../session/use-admin.ts";
import { useCurrentProject } from "./current-project.ts";
import { navigation } from "./navigation.ts";

/** The screens that the administrator's roles open. */
export const Navigation = () => {
  const may = useMay();
  const project = useCurrentProject();
  const offered = navigation.filter(({ operations }) => operations.some((each) => may(each, project?.id)));
  return (
    <ul>
      {offered.map(({ to, label, question, icon }) => (
        <li key={to}>
          <Link to={to} title={question} activeOptions={{ exact: to === "/", includeSearch: false }}>
            <Icon name={icon} />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
};
