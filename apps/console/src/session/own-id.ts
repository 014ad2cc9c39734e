import { administratorId } from "./administrator-name.ts";
import type { Session } from "./session-store.ts";
import { useSession } from "./use-session.ts";

/** The id of the administrator of a session, as records name it; undefined after signing out. */
export const ownIdOf = (session: Session): string | undefined =>
  session.status === "signed_out" ? undefined : administratorId(session.administrator);

/** The id of the signed-in administrator, as records name it. */
export const useOwnId = (): string | undefined => ownIdOf(useSession());
