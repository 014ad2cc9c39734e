import { Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { Loading } from "../components/loading.tsx";
import { Logo } from "../components/logo.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Navigation } from "./navigation-list.tsx";
import { ProjectSwitch } from "./project-switch.tsx";
import { WithProject } from "./with-project.tsx";

/** What surrounds every screen: the project, the screens, and who is signed in. */
export const Shell = () => (
  <div className="shell">
    <a className="skip" href="#main" onClick={focusMain}>
      Skip to the screen
    </a>
    <header className="shell-head">
      <Logo />
      <ProjectSwitch />
    </header>
    <Navigation />
    <div className="shell-foot">
      <AccountMenu />
    </div>
    <main className="shell-main" id="main" tabIndex={-1}>
      <Suspense fallback={<Loading what="the screen" />}>
        <WithProject>
          <Outlet />
        </WithProject>
      </Suspense>
    </main>
  </div>
);

/** The address is a fragment of the router's, so the link moves the focus itself. */
function focusMain(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
