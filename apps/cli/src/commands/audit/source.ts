import { chainLines, type ExportText } from "@ikg/audit";
import { signedIn } from "../../connection/clients.ts";
import type { Connection } from "../../connection/connection.ts";
import { contextsOf } from "../../connection/contexts.ts";
import { CommandFault, type Surroundings } from "../../surroundings.ts";

/** The address, project and credential with which a chain is read. */
export interface Source {
  readonly url: string;
  readonly project: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface SourceOptions {
  readonly url?: string;
  readonly project?: string;
}

/** The current context, used if no option or variable sets the address. */
const ofContext = async (around: Surroundings): Promise<Partial<Connection>> => {
  const { current } = contextsOf(around);
  return current === undefined ? {} : signedIn({ ...current.context, name: current.name }, around);
};

/** Not taken from the command line, which every user of the machine can read. */
const credentialOf = (
  environment: Surroundings["environment"],
  context: Partial<Connection>,
): Source["headers"] => {
  const { IKG_TOKEN: token, IKG_CLIENT_KEY: key, IKG_SERVICE_ACCOUNT_TOKEN: account } = environment;
  if (token === undefined && key !== undefined) return { "X-SVC-ClientKey": key };
  const bearer = token ?? account ?? context.token;
  if (bearer !== undefined) return { Authorization: `Bearer ${bearer}` };
  throw new CommandFault(
    "a credential is required: set IKG_CLIENT_KEY (a key with the permission Audit) or IKG_SERVICE_ACCOUNT_TOKEN",
  );
};

/**
 * Determines the source by options and variables, otherwise by the current context. Credentials of a context are only sent to its
 * own address.
 *
 * @throws CommandFault if something is missing.
 */
export const sourceOf = async ({ url, project }: SourceOptions, around: Surroundings): Promise<Source> => {
  const { environment } = around;
  const given = url ?? environment["IKG_URL"];
  const context = given === undefined ? await ofContext(around) : {};
  const base = given ?? context.url;
  if (base === undefined || !URL.canParse(base))
    throw new CommandFault("an address is required: set --url https://... or IKG_URL");
  const whose = project ?? environment["IKG_PROJECT"] ?? context.project;
  if (whose === undefined || !whose.startsWith("gid:"))
    throw new CommandFault("a project is required: set --project gid:...");
  return { url: base.replace(/\/+$/, ""), project: whose, headers: credentialOf(environment, context) };
};

interface Page {
  readonly items: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

const ask = async (url: string, headers: Readonly<Record<string, string>>): Promise<unknown> => {
  let answer: Response;
  try {
    answer = await fetch(url, { headers, signal: AbortSignal.timeout(60_000) });
  } catch {
    throw new CommandFault(`${new URL(url).origin} cannot be reached`);
  }
  if (answer.ok) return answer.json();
  const { message = answer.statusText } = (await answer.json().catch(() => ({}))) as { message?: string };
  throw new CommandFault(`the service responded with ${answer.status}: ${message}`);
};

/** An entry of a page; it is written unchanged. */
interface Item {
  readonly sequence: number;
  readonly kid: string;
}

/** Reads a chain from the service, as the lines of an export. */
export const linesFrom = ({ url, project, headers }: Source): ExportText => {
  const whose = `project_id=${encodeURIComponent(project)}`;
  const items = async function* (list: "manifests" | "logs" | "checkpoints"): AsyncGenerator<Item> {
    for (let cursor = ""; ;) {
      const page = (await ask(
        `${url}/audit/v1/${list}?${whose}&cursor=${encodeURIComponent(cursor)}`,
        headers,
      )) as Page; // the envelope of every list
      yield* page.items;
      if (!page.has_more) return;
      cursor = page.next_cursor;
    }
  };
  return chainLines({
    manifests: () => items("manifests"),
    batches: () => items("logs"),
    checkpoints: () => items("checkpoints"),
    keys: async () =>
      (await ask(`${url}/audit/.well-known/jwks.json?${whose}`, {})) as {
        readonly keys: readonly { readonly kid: string }[];
      }, // a set of keys, RFC 7517
  });
};
