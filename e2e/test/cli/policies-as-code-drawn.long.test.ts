import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { IkgAdmin, IkgError } from "@ikg/client";
import fc from "fast-check";
import { printTo } from "../../../stack/launch/progress.mjs";
import { runDemo } from "../../../stack/src/demo/run.ts";
import { corpusIsAbsent } from "../../../stack/src/testing/corpus.ts";
import {
  configuration,
  type DrawnConfiguration,
  writeConfiguration,
} from "../../src/cli/drawn-configuration.ts";
import { repeatUnavailable } from "../../src/cli/repeat-unavailable.ts";
import { type CommandRun, runIkg } from "../../src/cli/run-ikg.ts";
import { policyToSave } from "../../src/corpus/entry.ts";
import { readEntries } from "../../src/corpus/read.ts";
import { runs, seed, timeLimit } from "../../src/drawn-cases.ts";
import { environment } from "../../src/environment.ts";
import { freshName } from "../../src/fresh-name.ts";

/**
 * What `ikg pull` writes is the project: `ikg plan` finds no difference, and `ikg apply` into an empty project makes
 * another one of which `ikg pull` writes the same files.
 */
const count = runs(200, 20);
const atOnce = 4;

let cwd: string;
let admin: IkgAdmin;
const account = () => {
  const { base_url: baseUrl, service_account_token: token } = environment();
  return { baseUrl, token };
};
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "ikg-drawn-"));
  admin = new IkgAdmin(account());
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

interface Project {
  readonly id: string;
  readonly name: string;
}

const ikg = (args: readonly string[], { id }: Project, secrets: object = {}): Promise<CommandRun> => {
  const { baseUrl, token } = account();
  const variables = { HOME: cwd, IKG_URL: baseUrl, IKG_TOKEN: token, IKG_PROJECT: id };
  return runIkg(args, { cwd, variables: { ...variables, ...secrets } });
};

/** Every file of a folder with its text; the project is called the same in each. */
const filesOf = (folder: string, { name }: Project): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(cwd, folder), { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map(({ parentPath, name: file }) => {
        const text = readFileSync(join(parentPath, file), "utf8");
        const isProject = file === "project.yaml" && parentPath === join(cwd, folder);
        return [
          join(parentPath, file).slice(join(cwd, folder).length),
          isProject ? text.replace(`  ${name}:`, "  PROJECT:") : text,
        ] as const;
      })
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** Values for the secrets that files leave out. */
const secretsFor = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/(?<!\$)\$\{([A-Z0-9_]+)\}/g)].map(([, variable = ""]) => [
      variable,
      variable.endsWith("_HEADERS")
        ? '{"X-Key":["another"]}'
        : '{"introspection_endpoint":"https://issuer.example/i","client_id":"c","client_secret":"another"}',
    ]),
  );

const newProject = async (fields: object = { purpose: "TEST" }): Promise<Project> => {
  const name = freshName("drawn");
  const { id } = await admin.projects.create({ ...fields, name });
  return { id, name };
};

/** Nothing, or warnings of the policy language, each with its file, line and column. */
const placedWarnings = /^(?:warning: \S+\.yaml:\d+:\d+: .* \([a-z-]+\)\n)*$/;

const nothing = { code: 0, output: "Nothing to change.\n", errors: "" };

/** The proof for one project. @returns its files */
const provePulled = async (
  project: Project,
  copyFields: object = { purpose: "TEST" },
): Promise<Readonly<Record<string, string>>> => {
  const [folder, copyFolder] = [`${project.name}-files`, `${project.name}-copy`];
  const pulled = await ikg(["pull", folder], project);
  expect(pulled.code).toBe(0);
  const files = filesOf(folder, project);
  expect(await ikg(["plan", folder, "--prune", "--exit-code"], project)).toEqual(nothing);
  expect((await ikg(["pull", folder], project)).output).toBe("Nothing to change.\n");
  const copy = await newProject(copyFields);
  try {
    const secrets = secretsFor(files["/project.yaml"] ?? "");
    const applied = await repeatUnavailable(() =>
      ikg(["apply", folder, "--yes", "--no-access"], copy, secrets),
    );
    expect([applied.code, applied.errors]).toEqual([0, expect.stringMatching(placedWarnings)]);
    expect((await ikg(["pull", copyFolder], copy)).code).toBe(0);
    expect(filesOf(copyFolder, copy)).toEqual(files);
    expect(await ikg(["plan", folder, "--prune", "--exit-code"], copy)).toEqual(nothing);
  } finally {
    await admin.projects.delete(copy.id);
  }
  return files;
};

const proveDrawn = async (drawn: DrawnConfiguration): Promise<number> => {
  let project: Project;
  try {
    project = await newProject({ ...drawn.project, purpose: "TEST" });
  } catch (error) {
    if (!(error instanceof IkgError) || error.status !== 400) throw error;
    project = await newProject();
  }
  try {
    const { baseUrl, token } = account();
    const taken = await writeConfiguration(new IkgAdmin({ baseUrl, token, project: project.id }), drawn);
    await provePulled(project);
    return taken;
  } finally {
    await admin.projects.delete(project.id);
  }
};

describe("files of a project", () => {
  it("are the demo", async () => {
    printTo(() => undefined);
    const home = mkdtempSync(join(tmpdir(), "ikg-demo-"));
    await runDemo({ ...environment(), mcp_url: environment().base_url }, home);
    const name = "film-archive";
    const { id } = await admin.projects.get(name);
    try {
      expect(Object.keys(await provePulled({ id, name }, {})).length).toBeGreaterThan(4);
    } finally {
      await admin.projects.delete(id);
      rmSync(home, { recursive: true, force: true });
    }
  }, 240_000);

  it(
    `are ${count} drawn projects`,
    async () => {
      let taken = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(configuration, { minLength: atOnce, maxLength: atOnce }),
          async (configurations) => {
            for (const proof of await Promise.allSettled(configurations.map(proveDrawn))) {
              if (proof.status === "rejected") throw proof.reason;
              taken += proof.value;
            }
          },
        ),
        { numRuns: Math.ceil(count / atOnce), seed: seed(), endOnFailure: true },
      );
      // Refused ones are left out: this many are none.
      expect(taken).toBeGreaterThan(count * 5);
    },
    timeLimit(600_000),
  );
});

const reason = corpusIsAbsent === undefined ? "" : ` (skipped: ${corpusIsAbsent})`;
(corpusIsAbsent === undefined ? describe : describe.skip)(`files of a project of the corpus${reason}`, () => {
  it.each(["agents", "demo", "bank"])(
    "are the project: %s",
    async (folder) => {
      const project = await newProject();
      try {
        const { baseUrl, token } = account();
        const { policies, queries } = new IkgAdmin({ baseUrl, token, project: project.id });
        const ids = new Map<string, string>();
        const save = async (id: string, create: () => Promise<{ readonly id: string }>): Promise<void> => {
          try {
            ids.set(id, (await create()).id);
          } catch (error) {
            // Some are to be refused.
            if (!(error instanceof IkgError) || ![400, 422].includes(error.status)) throw error;
          }
        };
        for (const entry of readEntries(folder))
          if (entry.kind !== "query")
            await save(entry.id, () => {
              const { id: name, status = "ACTIVE", tags = [] } = entry;
              return policies.create({ name, status, tags: [...tags], policy: policyToSave(entry) });
            });
        for (const entry of readEntries(folder)) {
          if (entry.kind !== "query") continue;
          const { id: name, status = "ACTIVE", query, paired_with } = entry;
          const policy_id = ids.get(paired_with ?? "");
          if (policy_id !== undefined)
            await save(name, () => queries.create({ name, status, query: { ...query }, policy_id }));
        }
        expect(ids.size).toBeGreaterThan(2);
        expect(Object.keys(await provePulled(project))).toHaveLength(ids.size + 1);
      } finally {
        await admin.projects.delete(project.id);
      }
    },
    240_000,
  );
});
