import { chainLines, type ExportText } from "@ikg/audit";
import type { Audit } from "@ikg/client";
import { openAdmin, openApplication } from "../../connection/clients.ts";
import { connectionOf } from "../../connection/connection.ts";
import type { Invocation } from "../../program/command-module.ts";
import { CommandFault } from "../../command-environment.ts";

/** The chain of a project, as its credential reads it. */
export interface Source {
  /** Gid. */
  readonly project: string;
  readonly audit: Audit;
}

/**
 * Opens a chain by options, variables and the current context. An administrator reads the chains of the organization, an application
 * agent that of its project; the administrator's credential takes precedence.
 *
 * @throws CommandFault if something is missing.
 */
export const sourceOf = async (call: Pick<Invocation, "options" | "environment">): Promise<Source> => {
  const { project, token, person, clientKey, url } = connectionOf(call.options, call.environment);
  const isAdministrator = token !== undefined || person !== undefined;
  if (!isAdministrator && clientKey === undefined)
    throw new CommandFault(
      `no credential for ${url}: use ikg login, IKG_TOKEN, or IKG_CLIENT_KEY (a key with the permission Audit)`,
    );
  if (project === undefined) throw new CommandFault("a project is required: set --project");
  const isGid = project.startsWith("gid:");
  if (isAdministrator) {
    const admin = await openAdmin(call);
    return { project: isGid ? project : (await admin.projects.get(project)).id, audit: admin.audit };
  }
  if (!isGid)
    throw new CommandFault(`${project} is a name: the key of an application agent needs --project gid:...`);
  return { project, audit: (await openApplication(call)).audit(project) };
};

/** Reads a chain from the service, as the lines of an export. */
export const linesFrom = ({ audit }: Source): ExportText =>
  chainLines({
    manifests: () => audit.manifests(),
    batches: () => audit.batches(),
    checkpoints: () => audit.checkpoints(),
    keys: () => audit.keys(),
  });
