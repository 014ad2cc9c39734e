import { gunzipSync } from "node:zlib";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import fc from "fast-check";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { repeatUnavailable } from "../../src/cli/repeat-unavailable.ts";
import { drawn, kbacGroup, kbacJson, plainOf } from "../../src/drawn-cases.ts";
import { environment } from "../../src/environment.ts";
import { type AirfieldShell, openAirfieldShell } from "../../src/fixtures/airfield-shell.ts";

/** A project is moved by the recipe of docs/recipes/move-a-project.md: the other one decides the same. */
let shell: AirfieldShell;
const projects: TestProject[] = [];

const newProject = async (name: string, permissions?: ["Capture"]): Promise<TestProject> => {
  const { base_url: baseUrl, service_account_token: token } = environment();
  const project = await createTestProject({ baseUrl, token, name, permissions });
  projects.push(project);
  return project;
};

beforeAll(async () => {
  shell = await openAirfieldShell();
}, 120_000);
afterAll(async () => {
  await Promise.all(projects.map((project) => project.remove()));
  await shell?.remove();
});

const script = readFileSync(new URL("../../../examples/recipes/move-a-project.sh", import.meta.url), "utf8");

const move = async (from: TestProject, to: TestProject): Promise<void> => {
  const { base_url, service_account_token } = environment();
  const { code, errors, output } = await repeatUnavailable(() =>
    shell.run(`rm -rf moved && ${script.replace(/^#.*$/gm, "").trim()}`, {
      IKG_PROJECT: from.id,
      IKG_CLIENT_KEY: from.clientKey,
      TO_URL: base_url,
      TO_TOKEN: service_account_token,
      TO_PROJECT: to.id,
      TO_CLIENT_KEY: to.clientKey,
    }),
  );
  expect([code, errors.split("\n").filter((line) => !line.startsWith("warning: ") && line !== "")]).toEqual([
    0,
    [],
  ]);
  expect(output).toContain("0 lines rejected.");
};

const linesOf = async ({ ikg }: TestProject): Promise<readonly string[]> => {
  const lines: string[] = [];
  for await (const line of ikg.capture.export()) lines.push(JSON.stringify(line));
  return lines;
};

interface Triple {
  readonly subject: { readonly type: string; readonly id: string };
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string };
  readonly params: Readonly<Record<string, unknown>>;
}

/** Drawn metadata without that which has names and forms of its own. */
const customMetadata = (metadata: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata as Record<string, string>).filter(
      ([name]) => !["verified_time", "source", "assurance_level"].includes(name),
    ),
  );

/** A decision, or the code of its refusal. */
const decided = async (
  { ikg }: TestProject,
  { subject, action, resource, params }: Triple,
): Promise<unknown> =>
  ikg
    .as(subject)
    .can(action, resource, { params })
    .catch((error: unknown) => String(error));

describe("a moved project", () => {
  it("has the same graph and the same decisions: the airfield", async () => {
    const to = await newProject("moved-airfield");
    await move(shell.project, to);
    const lines = await linesOf(shell.project);
    expect(lines.length).toBeGreaterThan(5);
    expect(await linesOf(to)).toEqual(lines);
    const file = gunzipSync(readFileSync(join(shell.folder, "moved", "graph.ndjson.gz"))).toString();
    expect(file.trimEnd().split("\n").slice(0, -1)).toEqual(lines);
    const triples = ["amelia", "louis"].flatMap((pilot) =>
      ["N211", "N212", "none"].map((id) => ({
        subject: { type: "Pilot", id: pilot },
        action: "FLY",
        resource: { type: "Aircraft", id },
        params: { min_hours: 100 },
      })),
    );
    const decisions = await Promise.all(triples.map((each) => decided(shell.project, each)));
    expect(decisions).toContain(true);
    expect(await Promise.all(triples.map((each) => decided(to, each)))).toEqual(decisions);
  }, 120_000);

  it("has the same decisions: drawn graphs and policies", async () => {
    let decisionCount = 0;
    let granted = 0;
    const groups = fc.sample(drawn(kbacGroup), { numRuns: 40, seed: 7 });
    for (const { graph, policies, inputs } of groups) {
      if (decisionCount >= 300) break;
      const from = await newProject("drawn");
      const to = await newProject("drawn-moved");
      await from.ikg.capture.nodes(
        graph.nodes.map(({ type, id, labels, properties }) => ({
          type,
          external_id: id,
          labels,
          properties: Object.entries(properties).flatMap(([name, { value, metadata }]) =>
            value === undefined
              ? []
              : [
                  {
                    type: name,
                    value: plainOf(value) as string,
                    metadata: { custom_metadata: customMetadata(plainOf(metadata ?? {})) },
                  },
                ],
          ),
        })),
      );
      const ref = (key: string) => {
        const [type = "", ...rest] = key.split("/");
        return { type, external_id: rest.join("/") };
      };
      await from.ikg.capture.relationships(
        graph.edges.map(({ source, type, target, properties }) => ({
          source: ref(source),
          type,
          target: ref(target),
          properties: Object.entries(properties).map(([name, value]) => ({
            type: name,
            value: plainOf(value) as string,
          })),
        })),
      );
      const actions: string[] = [];
      for (const [at, spec] of policies.entries()) {
        const policy = kbacJson(spec);
        // What a move makes anew may decide otherwise.
        if (/\b(?:create_time|update_time|trust_score)\b|\.id\b/.test(JSON.stringify(policy))) continue;
        const action = `A${at}`;
        const saved = await from.admin.policies
          .create({
            name: `p-${at}`,
            status: "ACTIVE",
            policy: { ...(policy as object), actions: [action] },
          })
          .then(
            () => true,
            () => false,
          );
        if (saved) actions.push(action);
      }
      await move(from, to);
      expect(await linesOf(to)).toEqual(await linesOf(from));
      const [spec] = policies;
      if (spec === undefined) continue;
      const ofType = (wanted: string) =>
        graph.nodes.filter(({ type }) => type === wanted).map(({ type, id }) => ({ type, id }));
      const triples = actions.flatMap((action) =>
        ofType(spec.subjectType).flatMap((subject) =>
          ofType(spec.resourceType).map((resource, at) => {
            const given = inputs[at % inputs.length];
            return {
              subject,
              action,
              resource,
              params: (given === undefined ? {} : plainOf(given.params)) as Triple["params"],
            };
          }),
        ),
      );
      const before = await inParallel(triples, (each) => decided(from, each));
      expect(await inParallel(triples, (each) => decided(to, each))).toEqual(before);
      decisionCount += triples.length;
      granted += before.filter((each) => each === true).length;
    }
    process.stdout.write(`moved projects: ${decisionCount} decisions compared, ${granted} granted\n`);
    expect(decisionCount).toBeGreaterThanOrEqual(300);
    expect(granted).toBeGreaterThan(0);
  }, 600_000);

  it("has no half file when the export fails, and says why", async () => {
    const { clientKey } = await newProject("no-reader", ["Capture"]);
    const run = await shell.run("ikg graph export --out none.ndjson", { IKG_CLIENT_KEY: clientKey });
    expect([run.code, run.errors]).toEqual([2, expect.stringContaining("ReadGraph")]);
    expect(readdirSync(shell.folder).filter((name) => name.startsWith("none"))).toEqual([]);
  }, 60_000);
});
