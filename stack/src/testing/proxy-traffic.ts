/** What a proxy must let through: large bodies, streams, kept connections, and that a client disconnects. */
import { captureLimits } from "@ikg/contracts";
import { asAgent, asServiceAccount, call } from "../api.ts";
import { author, mayRead, own } from "./authorship.ts";
import { becomes } from "./becomes.ts";
import type { Counts } from "./counts.ts";
import type { LoadProject } from "./load.ts";
import type { ProxiedSuite } from "./proxied-suite.ts";
import { openProxyClient } from "./proxy-client.ts";
import { verdict } from "./verdict.ts";

const importsPath = "/capture/v1/imports";
const lines = { "content-type": "application/x-ndjson" } as const;
const json = { "content-type": "application/json" } as const;

/** Rows of an import: spaces make some of them so long that all are far more than one body may be. */
const longRows = 24;
const padding = " ".repeat(900_000);
const shortRows = 2_000;
const writtenWithinMs = 120_000;

const kept = 20;

/** Shorter than any pause after which the suite gives an upload up by itself (`CAPTURE_BODY_MS`). */
const discardedWithinMs = 15_000;
const receivedWithinMs = 15_000;

const rowOf = (name: string): string =>
  JSON.stringify({ node: { type: author.type, external_id: `row-${name}` } });

/** The largest body of a request that is no stream. */
export const checkLargeBody = async ({ entry }: ProxiedSuite, { apiKey }: LoadProject): Promise<Counts> => {
  const client = openProxyClient(entry);
  try {
    // Spaces after the value are JSON, and cost the database nothing.
    const body = JSON.stringify({ nodes: [author] }).padEnd(captureLimits.bodyBytes);
    const { status } = await client.send("POST", "/capture/v1/nodes", { ...asAgent(apiKey), ...json }, body);
    return verdict(status === 200, `a body of ${body.length} bytes is answered ${status}`);
  } finally {
    client.close();
  }
};

interface ImportState {
  readonly id: string;
  readonly status: string;
}

const importStates = async (
  { environment: { base_url } }: ProxiedSuite,
  { apiKey }: LoadProject,
): Promise<readonly ImportState[]> =>
  // The list of imports, or `call` would have thrown.
  ((await call(base_url, "GET", importsPath, asAgent(apiKey))) as { readonly data: readonly ImportState[] })
    .data;

/** Lines of an export before the one that counts them, and its count. */
const countedLines = (text: string): { readonly sent: number; readonly counted: number | undefined } => {
  const all = text.split("\n").filter((line) => line !== "");
  const { complete } = JSON.parse(all.at(-1) ?? "{}") as {
    readonly complete?: { readonly nodes: number; readonly relationships: number };
  };
  return { sent: all.length - 1, counted: complete && complete.nodes + complete.relationships };
};

/** An import in chunks that is larger than any body, and the export of what it wrote. */
export const checkStreams = async (suite: ProxiedSuite, project: LoadProject): Promise<Counts> => {
  const { entry, environment } = suite;
  const client = openProxyClient(entry);
  try {
    const body = [
      ...Array.from({ length: longRows }, (_, n) => `${rowOf(`long-${n}`)}${padding}`),
      ...Array.from({ length: shortRows }, (_, n) => rowOf(`short-${n}`)),
    ].join("\n");
    const headers = { ...asAgent(project.apiKey), ...lines, "transfer-encoding": "chunked" };
    const { status } = await client.send("POST", importsPath, headers, body);
    const isWritten = await becomes(
      async () => (await importStates(suite, project)).some((each) => each.status === "done"),
      writtenWithinMs,
    );
    const path = `/capture/v1/export?project_id=${encodeURIComponent(project.id)}`;
    const account = asServiceAccount(environment.service_account_token);
    const exported = await client.send("GET", path, account);
    const { sent, counted } =
      exported.status === 200 ? countedLines(exported.text) : { sent: 0, counted: undefined };
    const found = `the export has ${sent} lines and counts ${counted ?? "none"}`;
    return verdict(
      status === 202 && isWritten && sent === counted && sent >= longRows + shortRows,
      `an import of ${body.length} bytes in chunks is answered ${status}; ${found}`,
    );
  } finally {
    client.close();
  }
};

/** Requests one after the other on one connection of the client. */
export const checkKeptConnection = async (
  { entry }: ProxiedSuite,
  { apiKey }: LoadProject,
): Promise<Counts> => {
  const client = openProxyClient(entry);
  try {
    const body = JSON.stringify(mayRead(own));
    const headers = { ...asAgent(apiKey), ...json };
    const answers = [];
    for (let n = 0; n < kept; n++)
      answers.push(await client.send("POST", "/access/v1/evaluation", headers, body));
    const good = answers.filter(({ status }) => status === 200).length;
    const connections = new Set(answers.map(({ localPort }) => localPort)).size;
    return verdict(
      good === kept && connections === 1,
      `${good} of ${kept} decisions on ${connections} connections of one client`,
    );
  } finally {
    client.close();
  }
};

/** An upload reaches the suite before it has ended, and is discarded when its client disconnects. */
export const checkDisconnection = async (suite: ProxiedSuite, project: LoadProject): Promise<Counts> => {
  const client = openProxyClient(suite.entry);
  const isReceiving = async () =>
    (await importStates(suite, project)).some(({ status }) => status === "receiving");
  try {
    const headers = { ...asAgent(project.apiKey), ...lines, "transfer-encoding": "chunked" };
    const upload = client.begin("POST", importsPath, headers);
    // It is destroyed without an answer.
    upload.on("error", () => undefined);
    upload.write(`${rowOf("unfinished")}\n`);
    const arrived = await becomes(isReceiving, receivedWithinMs);
    const began = performance.now();
    upload.destroy();
    const discarded = await becomes(async () => !(await isReceiving()), discardedWithinMs);
    const ms = Math.round(performance.now() - began);
    const before = arrived ? "is received while it is sent" : "is not received while it is sent";
    const after = discarded ? `it is discarded ${ms} ms later` : `it is still received ${ms} ms later`;
    return verdict(arrived && discarded, `an upload ${before}; its client disconnects, ${after}`);
  } finally {
    client.close();
  }
};
