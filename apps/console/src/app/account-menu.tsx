import { DropdownMenu } from "radix-ui";
import { Icon } from "../components/icon.tsx";
import { PlainText } from "../components/plain-text.tsx";
import { administratorName } from "../session/administrator-name.ts";
import { signOut } from "../session/sign-in.ts";
import { useSession } from "../session/use-session.ts";

const roleText = (role: string): string => role.replaceAll("_", " ");

/** Who is signed in, with which roles, and the way out. */
export const AccountMenu = () => {
  const session = useSession();
  if (session.status === "signed_out") return null;
  const { administrator } = session;
  const roles = [...new Set(administrator.roles.map(({ role }) => roleText(role)))].join(", ");
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="account">
        <Icon name="person" />
        <span className="account-name">
          <PlainText text={administratorName(administrator)} limit={40} />
          <small>{roles || "no role"}</small>
        </span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={6}>
          <DropdownMenu.Item className="menu-item" onSelect={signOut}>
            <Icon name="sign-out" />
            Sign out
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
};
