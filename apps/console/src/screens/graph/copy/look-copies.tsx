import { CopyButton } from "../../../components/copy-button.tsx";
import { permalink } from "../../../snippets/permalink.ts";
import { baseUrl } from "../../../session/base-url.ts";
import { clientCodeOfLook, curlOfLook, type Look } from "./look.ts";

interface LookCopiesProps {
  readonly look: Look;
  readonly projectId: string;
  /** Names the group: what is copied. */
  readonly label: string;
  readonly withLink?: boolean;
}

/** Takes a look along: as a link, a command, or code. None has a credential. */
export const LookCopies = ({ look, projectId, label, withLink = false }: LookCopiesProps) => {
  const options = { baseUrl: baseUrl(), projectId };
  return (
    <div className="row" role="group" aria-label={label}>
      {withLink && <CopyButton label="Link" text={() => permalink(projectId)} />}
      <CopyButton label="curl" text={() => curlOfLook(look, options)} />
      <CopyButton label="Client code" text={() => clientCodeOfLook(look, options)} />
    </div>
  );
};
