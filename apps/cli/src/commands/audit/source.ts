import { chainLines, type ExportText } from "@ikg/audit";
import { openAdmin, signedIn } from "../../connection/clients.ts";
import { type Connection, connectionOf } from "../../connection/connection.ts";
import type { Invocation } from "../../program/command-module.ts";
import { CommandFault } from "../../command-environment.ts";

/** The address, project and credential with which a chain is read. */
export interface Source {
  readonly url: string;
  readonly project: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An administrator reads the chains of the organization, and an application agent that of its project: the first of these that is there. */
const credentialOf = ({ token, clientKey, url }: Connection): Source["headers"] => {
  if (token !== undefined) return { Authorization: `Bearer ${token}` };
  if (clientKey !== undefined) return { "X-SVC-ClientKey": clientKey };
  throw new CommandFault(
    `no credential for ${url}: use ikg login, IKG_TOKEN, or IKG_CLIENT_KEY (a key with the permission Audit)`,
  );
};

const projectOf = async (
  call: Pick<Invocation, "options" | "around">,
  { project, token }: Connection,
): Promise<string> => {
  if (project === undefined) throw new CommandFault("a project is required: set --project");
  if (project.startsWith("gid:")) return project;
  if (token === undefined)
    throw new CommandFault(`${project} is a name: the key of an application agent needs --project gid:...`);
  return (await (await openAdmin(call)).projects.get(project)).id;
};

/**
 * Determines the chain by options, variables and the current context.
 *
 * @throws CommandFault if something is missing.
 */
export const sourceOf = async (call: Pick<Invocation, "options" | "around">): Promise<Source> => {
  const connection = await signedIn(connectionOf(call.options, call.around), call.around);
  const headers = credentialOf(connection);
  return {
    url: connection.url.replace(/\/+$/, ""),
    project: await projectOf(call, connection),
    headers,
  };
};

interface Page {
  readonly items: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

const ask = async (url: string, headers: Readonly<Record<string, string>>): Promise<unknown> => {
  let answer: Response;
  try {
    answer = await fetch(url, {
      headers,
      signal: AbortSignal.timeout(60_000),
      // A key would go along to another origin.
      redirect: "error",
    });
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
