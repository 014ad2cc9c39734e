import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { TestProject } from "@ikg/client/testing";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { withStoredBatches } from "../../../stack/src/testing/stored-batches.ts";
import { runIkg } from "../../src/cli/run-ikg.ts";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import {
  batchesOf,
  createAuditedProject,
  database,
  openDecisions,
  recordDecisions,
  verifyChain,
} from "../../src/console/audit-trail.ts";
import { describeInBrowser, keepScreenshot } from "../../src/console/browser.ts";
import { isTooWide } from "../../src/console/policy-editor.ts";
import { environment } from "../../src/environment.ts";

/** Verification in the browser: of the stored chain and of exports, whole, changed, with gaps, stopped and unreadable. */
let project: TestProject;
let folder: string;
/** Places in the chain of two records; there are batches before and after both. */
let bob: number;
let eve: number;

const files = ["jwks.json", "manifests.ndjson", "batches.ndjson", "checkpoints.ndjson"] as const;
type ExportedFile = (typeof files)[number];

const read = (name: ExportedFile): Promise<Buffer> => readFile(join(folder, name));

beforeAll(async () => {
  project = await createAuditedProject("decisions-verify");
  // In the first batch, with whatever else was recorded by then.
  await recordDecisions(project, "ann");
  ({ sequence: bob } = await recordDecisions(project, "bob"));
  ({ sequence: eve } = await recordDecisions(project, "eve"));
  // Another subject than those before: what is waited for is the first batch about it.
  await recordDecisions(project, "mia");
  folder = join(await mkdtemp(join(tmpdir(), "ikg-console-")), "export");
  const { base_url: url, service_account_token: token } = environment();
  const { code } = await runIkg(["audit", "export", "--project", project.id, "--out", folder], {
    variables: { IKG_URL: url, IKG_SERVICE_ACCOUNT_TOKEN: token },
  });
  if (code !== 0) throw new Error(`the export ended with ${code}`);
}, 90_000);
afterAll(async () => {
  await project?.remove();
  if (folder !== undefined) await rm(join(folder, ".."), { recursive: true, force: true });
});

const openVerify = (options = {}) => openDecisions("/decisions/verify", project.id, options);

interface ChosenFile {
  readonly name: string;
  readonly buffer: Buffer;
}

const chooseFiles = async (page: Page, chosen: readonly ChosenFile[]): Promise<void> => {
  await page
    .getByLabel("Choose files")
    .setInputFiles(chosen.map((file) => ({ ...file, mimeType: "application/x-ndjson" })));
  await page.getByRole("button", { name: "Verify the files" }).click();
};

/** All files of the export, some of them replaced. */
const exported = (replaced: Readonly<Partial<Record<ExportedFile, Buffer>>> = {}) =>
  Promise.all(files.map(async (name) => ({ name, buffer: replaced[name] ?? (await read(name)) })));

const isUnbroken = (page: Page) => page.getByText("The chain is unbroken.").waitFor();

describeInBrowser("an export", () => {
  it("verifies without any service, dropped on the page", async () => {
    const { page, problems, requests } = await openVerify();
    await page.getByRole("button", { name: "Verify the files" }).waitFor();
    const contents = await Promise.all(files.map(async (name) => [name, (await read(name)).toString()]));
    const transfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      for (const [name, text] of ${JSON.stringify(contents)}) transfer.items.add(new File([text], name));
      return transfer;
    })()`);
    await page.locator(".file-drop").dispatchEvent("drop", { dataTransfer: transfer });
    await page.getByText("signed manifests").waitFor();
    const before = requests().length;
    await page.getByRole("button", { name: "Verify the files" }).click();
    await isUnbroken(page);
    expect(requests().slice(before)).toEqual([]);
    await keepScreenshot(page, "decisions-verified");
    expect(problems()).toEqual([]);
  }, 40_000);

  it("is broken by any byte of a record, and the first broken link is shown with the record", async () => {
    const { page, problems } = await openVerify();
    const batches = (await read("batches.ndjson")).toString();
    const changed = Buffer.from(batches.replace('"id":"bob"', '"id":"rob"'));
    await chooseFiles(page, await exported({ "batches.ndjson": changed }));
    await page.getByText(`The chain is broken at batch ${bob}`).waitFor();
    const records = page.getByRole("region", { name: new RegExp(`of batch ${bob}$`) });
    await records.locator("summary", { hasText: "SHARE" }).first().click();
    await records.getByText('"id": "rob"').waitFor();
    // The records of a file are not those of the service.
    expect(await page.getByRole("link", { name: "Open the record" }).count()).toBe(0);
    expect(problems()).toEqual([]);
  }, 40_000);

  it("needs only its records: the rest is read from the service", async () => {
    const { page, problems } = await openVerify();
    const batches = await read("batches.ndjson");
    await chooseFiles(page, [{ name: "records of yesterday.ndjson", buffer: batches }]);
    await isUnbroken(page);
    await page.getByText("read from the service, because the files do not have it").waitFor();
    const lines = batches.toString().split("\n");
    const gap = Buffer.from(lines.toSpliced(eve - 1, 1).join("\n"));
    await chooseFiles(page, [{ name: "batches.ndjson", buffer: gap }]);
    await page.getByText(`The chain is broken at batch ${eve}`).waitFor();
    await page.getByText("it is missing").first().waitFor();
    await chooseFiles(page, [{ name: "photo.png", buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47]) }]);
    await page.getByText("Not a file of an export: photo.png").waitFor();
    expect(problems()).toEqual([]);
  }, 60_000);

  it("is broken where a batch and its manifest are missing, and where a line is no JSON", async () => {
    const { page, problems } = await openVerify();
    const without = async (name: ExportedFile) =>
      Buffer.from(
        (await read(name))
          .toString()
          .split("\n")
          .toSpliced(bob - 1, 1)
          .join("\n"),
      );
    const gap = {
      "batches.ndjson": await without("batches.ndjson"),
      "manifests.ndjson": await without("manifests.ndjson"),
    };
    await chooseFiles(page, await exported(gap));
    await page.getByText(`Batch ${bob} is missing, with its records.`).first().waitFor();
    const torn = Buffer.from((await read("batches.ndjson")).toString().replace('{"alg"', '{"alg":<b>'));
    await chooseFiles(page, await exported({ "batches.ndjson": torn }));
    await page.getByText("line 1 of batches.ndjson: it is no JSON").first().waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(problems()).toEqual([]);
  }, 60_000);

  it("may be a part of a chain where that is said", async () => {
    const { page, problems } = await openVerify();
    const late = Buffer.from((await read("batches.ndjson")).toString().split("\n").slice(2).join("\n"));
    await chooseFiles(page, await exported({ "batches.ndjson": late }));
    await page.getByText("Only the oldest batches are missing").waitFor();
    await page.getByLabel("Allow missing batches").check();
    await page.getByRole("button", { name: "Verify the files" }).click();
    await isUnbroken(page);
    expect(problems()).toEqual([]);
  }, 40_000);
});

describeInBrowser("the chain of the service", () => {
  it("is broken where a batch was removed from the database", async () => {
    const { page, problems } = await openVerify();
    await withStoredBatches(database(), project.id, async (batches) => {
      const restore = await batches.remove(eve);
      await verifyChain(page);
      await page.getByText(`Batch ${eve} is missing, with its records.`).first().waitFor();
      await keepScreenshot(page, "decisions-gap");
      await restore();
    });
    await verifyChain(page);
    await isUnbroken(page);
    const [batch] = await batchesOf(project);
    expect(batch?.sequence).toBe(1);
    expect(problems()).toEqual([]);
  }, 60_000);

  it("shows how far it has come, can be stopped, and says when it cannot be read", async () => {
    const { page, problems } = await openVerify();
    let answer: (route: Route) => Promise<void> = (route) => route.continue();
    await page.route("**/audit/v1/logs*", (route) => answer(route));
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    answer = async (route) => {
      await released;
      await route.continue().catch(() => undefined);
    };
    await verifyChain(page);
    await page.getByText(/Verifying signatures: \d+/).waitFor();
    await page.getByRole("progressbar", { name: "Progress of the verification" }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped after 0 of").waitFor();
    release(undefined);
    answer = (route) => route.fulfill({ status: 403, json: { message: "the role auditor is missing" } });
    await verifyChain(page);
    await page.getByText("The chain could not be read completely").waitFor();
    await page.getByText("the role auditor is missing").waitFor();
    answer = (route) => route.continue();
    await verifyChain(page);
    await isUnbroken(page);
    expect(problems()).toEqual([]);
  }, 60_000);

  it("leaves the page usable while a long export is verified, and fits a narrow screen", async () => {
    const { page, problems } = await openVerify({ viewport: { width: 390, height: 844 } });
    const [line = ""] = (await read("batches.ndjson")).toString().split("\n");
    const long = join(folder, "long.ndjson");
    // Each line is hashed and compared, although the chain is none.
    await writeFile(long, `${line}\n`.repeat(20_000));
    await page.evaluate(`(() => {
      globalThis.longest = 0;
      let last = performance.now();
      const beat = () => {
        const now = performance.now();
        globalThis.longest = Math.max(globalThis.longest, now - last);
        last = now;
        setTimeout(beat);
      };
      beat();
    })()`);
    await page.getByLabel("Choose files").setInputFiles(long);
    await page.getByRole("button", { name: "Verify the files" }).click();
    await page.getByText("The chain is broken").waitFor();
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped after").waitFor();
    await keepScreenshot(page, "decisions-broken-390");
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(problems()).toEqual([]);
    // Without pauses it would be as long as the whole verification. Other tests use the processors, too.
    expect(await page.evaluate("globalThis.longest")).toBeLessThan(2_000);
  }, 90_000);
});
