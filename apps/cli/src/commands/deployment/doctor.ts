import type { IkgAdmin } from "@ikg/client";
import { openAdmin, signedIn } from "../../connection/clients.ts";
import { contextFilePath, readContextFile } from "../../connection/context-file.ts";
import { type Connection, connectionOf } from "../../connection/connection.ts";
import { checkAddress } from "../../deployment/checks/address.ts";
import { checkCredentials } from "../../deployment/checks/credentials.ts";
import { checkKeys } from "../../deployment/checks/keys.ts";
import { checkOutside } from "../../deployment/checks/outside.ts";
import { checkPolicies } from "../../deployment/checks/policies.ts";
import { type Finding, ok, problem } from "../../deployment/finding.ts";
import type { CommandModule, Invocation } from "../../program/command-module.ts";
import { CommandFault, type CommandEnvironment } from "../../command-environment.ts";

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const checkContexts = (environment: CommandEnvironment): Finding => {
  try {
    const names = Object.keys(readContextFile(environment).contexts);
    return ok(
      "contexts",
      names.length === 0 ? "none is stored" : `${names.join(", ")} in ${contextFilePath(environment)}`,
    );
  } catch (error) {
    if (!(error instanceof CommandFault)) throw error;
    return problem("contexts", error.message, "repair the file as described");
  }
};

const checkProject = async (admin: IkgAdmin, { project }: Connection): Promise<Finding> => {
  if (project !== undefined) {
    const { name, id } = await admin.projects.get(project);
    return ok("project", `${name}, ${id}`);
  }
  const projects = await admin.projects.list();
  return projects.length === 1
    ? ok("project", `${projects[0]?.name}, the only one`)
    : problem(
        "project",
        `there are ${projects.length} projects, and none is selected`,
        "set --project NAME or IKG_PROJECT, or run ikg context use NAME --project NAME",
      );
};

type Check = (admin: IkgAdmin, connection: Connection) => Promise<readonly Finding[]>;

const checksOfProject: Readonly<Record<string, Check>> = {
  keys: checkKeys,
  policies: checkPolicies,
  outside: checkOutside,
};

/** Checks that require a token. */
const checkProjectWithToken = async (
  call: Invocation,
  connection: Connection,
): Promise<readonly Finding[]> => {
  const admin = await openAdmin(call);
  const project = await checkProject(admin, connection).catch((error: unknown) =>
    problem("project", messageOf(error), "list projects with ikg get projects"),
  );
  if (project.result === "problem") return [project];
  const found = await Promise.all(
    Object.entries(checksOfProject).map(async ([name, check]) => {
      try {
        return await check(admin, connection);
      } catch (error) {
        return [problem(name, messageOf(error), "run ikg status")];
      }
    }),
  );
  return [project, ...found.flat()];
};

const findingsOf = async (call: Invocation): Promise<readonly Finding[]> => {
  const contexts = checkContexts(call.environment);
  if (contexts.result === "problem") return [contexts];
  const connection = await signedIn(connectionOf(call.options, call.environment), call.environment);
  const address = await checkAddress(connection);
  if (address.some(({ result }) => result === "problem")) return [contexts, ...address];
  const credentials = await checkCredentials(connection);
  const hasValidToken = credentials.some(({ check, result }) => check === "token" && result === "ok");
  return [
    contexts,
    ...address,
    ...credentials,
    ...(hasValidToken ? await checkProjectWithToken(call, connection) : []),
  ];
};

/** `ikg doctor`. */
export const command: CommandModule = {
  description: [
    "Checks contexts, DNS, the connection, the clock, credentials, the project, keys that are in use or about to expire, policies, token issuers and resolvers, and suggests fixes. External addresses are tested from this computer, which may have other network access than the suite.",
  ],
  examples: [
    { purpose: "Run all checks", command: "ikg doctor" },
    {
      purpose: "Show only warnings and problems",
      command: "ikg doctor -o json | jq '.[] | select(.result != \"ok\")'",
    },
  ],
  exitCodes: { 0: "no problems; warnings are possible", 1: "there is a problem" },
  run: async (call) => {
    const { print } = call;
    const findings = await findingsOf(call);
    const colours = { ok: "good", warning: "attention", problem: "bad" } as const;
    const text = findings
      .map(({ check, result, detail, advice }) => {
        const line = `${print.style(colours[result], result.padEnd(8))}${check}: ${detail}\n`;
        return advice === undefined ? line : `${line}${" ".repeat(8)}→ ${advice}\n`;
      })
      .join("");
    if (print.format === "table") call.environment.out(text);
    else
      await print.rows(
        findings,
        (["check", "result", "detail", "advice"] as const).map((name) => ({
          header: name,
          value: (finding: Finding) => finding[name],
        })),
      );
    return findings.some(({ result }) => result === "problem") ? 1 : 0;
  },
};
