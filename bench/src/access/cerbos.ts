/**
 * Cerbos, which looks nothing up: it answers the same AuthZEN requests from the attributes that are handed to it, by its
 * own `/access/v1/evaluation`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Question } from "../drive/questions.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { UserError } from "../settings.ts";

const packageName = "@cerbos/cerbos-linux-x64";

/** READ of the drive: she owns it, and its level is within her clearance. Roles play no part. */
const policy = {
  apiVersion: "api.cerbos.dev/v1",
  resourcePolicy: {
    version: "default",
    resource: "Document",
    rules: [
      {
        actions: ["READ"],
        effect: "EFFECT_ALLOW",
        roles: ["*"],
        condition: { match: { expr: "P.id in R.attr.owners && R.attr.level <= P.attr.clearance" } },
      },
    ],
  },
};

/** A socket between its HTTP and its gRPC half is its fastest form; nothing is logged or reported. */
const configuration = (port: number, folder: string, policies: string) => ({
  server: { httpListenAddr: `127.0.0.1:${port}`, grpcListenAddr: `unix:${join(folder, "grpc.sock")}` },
  storage: { driver: "disk", disk: { directory: policies, watchForChanges: false } },
  telemetry: { disabled: true },
});

/** @throws UserError where there is no Cerbos for this machine */
const binary = (): { readonly path: string; readonly version: string } => {
  const require = createRequire(import.meta.url);
  try {
    const { version } = require(`${packageName}/package.json`) as { version: string };
    return { path: require.resolve(packageName), version };
  } catch {
    throw new UserError(`The package ${packageName} is missing: this measurement needs Linux on x64.`);
  }
};

export const cerbosVersion = (): string => binary().version;

export const startCerbos = (): Promise<ServerProcess> => {
  const { path } = binary();
  return startServer((port, folder) => {
    const policies = join(folder, "policies");
    const file = join(folder, "cerbos.yaml");
    mkdirSync(policies);
    // JSON is YAML.
    writeFileSync(join(policies, "document.yaml"), JSON.stringify(policy));
    writeFileSync(file, JSON.stringify(configuration(port, folder, policies)));
    return {
      program: path,
      args: ["server", `--config=${file}`, "--log-level=error", "--debug-listen-addr="],
      env: { HOME: folder },
    };
  }, "/_cerbos/health");
};

/** The request with all attributes that the graph would have provided. */
export const withAttributes = (question: Question): Question => ({
  ...question,
  body: JSON.stringify({
    subject: { type: "Person", id: question.person, properties: question.attributes.subject },
    action: { name: question.action },
    resource: { type: "Document", id: question.document, properties: question.attributes.resource },
  }),
});
