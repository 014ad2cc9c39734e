/** What a proxy must let through: large bodies, imports, exports, and that a client disconnects. */
import { captureLimits } from "@ikg/contracts";
import { asAgent, asServiceAccount, openIkg } from "../../clients.ts";
import { author } from "./authorship.ts";
import type { Counts } from "../runner/counts.ts";
import type { LoadProject } from "./load.ts";
import type { ProxiedSuite } from "./proxied-suite.ts";
import { withProxyClient } from "./proxy-client.ts";
import { verdict } from "./verdict.ts";
import { waitUntil } from "../wait-until.ts";

const importsPath = "/capture/v1/imports";
const lines = { "content-type": "application/x-ndjson" } as const;
const json = { "content-type": "application/json" } as const;

/** Rows of an import: spaces make some of them so long that all are far more than one body may be. */
const longRows = 24;
const padding = " ".repeat(900_000);
const shortRows = 2_000;
const writeWithinMs = 120_000;

/** Shorter than any pause after which the suite gives an upload up by itself (`CAPTURE_BODY_MS`). */
const discardWithinMs = 15_000;
const receiveWithinMs = 15_000;

const rowOf = (name: string): string =>
  JSON.stringify({ node: { type: author.type, external_id: `row-${name}` } });

/** The largest body of a request that is no stream. */
export const checkLargeBody = (suite: ProxiedSuite, { apiKey }: LoadProject): Promise<Counts> =>
  withProxyClient(suite, async (client) => {
    // Spaces after the value are JSON, and cost the database nothing.
    const body = JSON.stringify({ nodes: [author] }).padEnd(captureLimits.bodyBytes);
    const { status } = await client.send("POST", "/capture/v1/nodes", { ...asAgent(apiKey), ...json }, body);
    return verdict(status === 200, `a body of ${body.length} bytes gets status ${status}`);
  });

/** Whether the project has an import in that state. */
const hasImport = async (
  { environment }: ProxiedSuite,
  project: LoadProject,
  status: "receiving" | "done",
): Promise<boolean> =>
  (await openIkg(environment, project).capture.imports()).some((each) => each.status === status);

/** The rows of an export, and how many its last line counts; undefined where it is cut off. */
const rowsIn = (text: string): { readonly rows: number; readonly total: number | undefined } => {
  const all = text.split("\n").filter((line) => line !== "");
  const { complete } = JSON.parse(all.at(-1) ?? "{}") as {
    readonly complete?: { readonly nodes: number; readonly relationships: number };
  };
  return { rows: all.length - 1, total: complete && complete.nodes + complete.relationships };
};

/** An import in chunks that is larger than any body, and the export of what it wrote. */
export const checkStreams = (suite: ProxiedSuite, project: LoadProject): Promise<Counts> =>
  withProxyClient(suite, async (client) => {
    const body = [
      ...Array.from({ length: longRows }, (_, n) => `${rowOf(`long-${n}`)}${padding}`),
      ...Array.from({ length: shortRows }, (_, n) => rowOf(`short-${n}`)),
    ].join("\n");
    const headers = { ...asAgent(project.apiKey), ...lines, "transfer-encoding": "chunked" };
    const { status } = await client.send("POST", importsPath, headers, body);
    const isWritten = await waitUntil(() => hasImport(suite, project, "done"), writeWithinMs, suite.signal);
    const path = `/capture/v1/export?project_id=${encodeURIComponent(project.id)}`;
    const account = asServiceAccount(suite.environment.service_account_token);
    const answer = await client.send("GET", path, account);
    const { rows, total } = answer.status === 200 ? rowsIn(answer.text) : { rows: 0, total: undefined };
    return verdict(
      status === 202 && isWritten && rows === total && rows >= longRows + shortRows,
      `an import of ${body.length} bytes in chunks gets status ${status}; the export has ${rows} rows and counts ${total ?? "none"}`,
    );
  });

/** An upload reaches the suite before it has ended, and is discarded when its client disconnects. */
export const checkDisconnection = (suite: ProxiedSuite, project: LoadProject): Promise<Counts> =>
  withProxyClient(suite, async (client) => {
    const isReceiving = () => hasImport(suite, project, "receiving");
    const headers = { ...asAgent(project.apiKey), ...lines, "transfer-encoding": "chunked" };
    const upload = client.begin("POST", importsPath, headers);
    // It is destroyed without an answer.
    upload.on("error", () => undefined);
    upload.write(`${rowOf("unfinished")}\n`);
    const isReceived = await waitUntil(isReceiving, receiveWithinMs, suite.signal);
    const start = performance.now();
    upload.destroy();
    const isDiscarded = await waitUntil(async () => !(await isReceiving()), discardWithinMs, suite.signal);
    const ms = Math.round(performance.now() - start);
    const before = isReceived ? "is received while it is sent" : "is not received while it is sent";
    const after = isDiscarded ? `it is discarded ${ms} ms later` : `it is still received ${ms} ms later`;
    return verdict(isReceived && isDiscarded, `an upload ${before}; its client disconnects, ${after}`);
  });
