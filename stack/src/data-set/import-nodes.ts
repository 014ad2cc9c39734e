/** An import as a client runs it: it is sent, and looked at until it has ended. */
import { setTimeout as pause } from "node:timers/promises";
import type { DataSetProject } from "./data-set.ts";

const pollMs = 250;
const doneMs = 120_000;
const unended: ReadonlySet<string> = new Set(["queued", "running"]);

const begin = async (
  url: string,
  { key }: DataSetProject,
  nodes: readonly object[],
): Promise<{ readonly id: string }> => {
  const response = await fetch(`${url}/capture/v1/imports`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson", "x-svc-clientkey": key },
    body: nodes.map((node) => `${JSON.stringify({ node })}\n`).join(""),
  });
  const text = await response.text();
  if (response.status !== 202) throw new Error(`import: ${response.status} ${text}`);
  return JSON.parse(text) as { readonly id: string }; // of every import that is accepted
};

/**
 * Imports nodes into a project.
 *
 * @throws Error unless the import is accepted, and done within two minutes
 */
export const importNodes = async (
  url: string,
  project: DataSetProject,
  nodes: readonly object[],
): Promise<void> => {
  const { id } = await begin(url, project, nodes);
  for (const end = Date.now() + doneMs; ; await pause(pollMs)) {
    const response = await fetch(`${url}/capture/v1/imports/${id}`, {
      headers: { "x-svc-clientkey": project.key },
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`import ${id}: ${response.status} ${text}`);
    const { status } = JSON.parse(text) as { readonly status: string }; // of every import
    if (status === "done") return;
    if (!unended.has(status) || Date.now() > end)
      throw new Error(`import ${id} has not ended as done: ${text}`);
  }
};
