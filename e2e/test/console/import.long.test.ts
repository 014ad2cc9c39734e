import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { runIkg } from "../../src/cli/run-ikg.ts";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { newAccount } from "../../src/console/account.ts";
import { consoleUrl, describeInBrowser, keepScreenshot, openTab, signIn } from "../../src/console/browser.ts";
import { chooseFile, openImport, pasteImportKey } from "../../src/console/import-screen.ts";
import { isTooWide } from "../../src/console/policy-editor.ts";
import { environment } from "../../src/environment.ts";

/** The import screen: by keyboard, with files of any content, large ones, and what may go wrong. */
let project: TestProject;

beforeAll(async () => {
  const { base_url: baseUrl, service_account_token: token } = environment();
  project = await createTestProject({ baseUrl, token, name: "import-long" });
}, 30_000);
afterAll(() => project?.remove(), 60_000);

const markup = `<img src=x onerror=alert(1)>`;

/** Elements that only a text taken for HTML could have made. */
const strangers = `document.querySelectorAll("#root script, #root img, #root iframe, [onerror], [onload]").length`;

describeInBrowser("an import", () => {
  it("is done by keyboard alone", async () => {
    const { page, problems } = await openImport(project.id);
    await pasteImportKey(page, project.clientKey);
    await chooseFile(page, "glider.csv", "id,owner_id,seats\ng1,ann,2\ng2,bob,1\n");
    const glider = page.getByRole("group", { name: "Node type Glider" });
    await glider.waitFor();
    await page.getByRole("button", { name: "Add a node type" }).focus();
    await page.keyboard.press("Enter");
    const added = page.getByRole("group", { name: "Node type Node" });
    await added.getByLabel("Node type", { exact: true }).focus();
    await page.keyboard.type("Owner");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    // The list of columns, by the first letters of one.
    await page.keyboard.type("owner_id");
    await page.keyboard.press("Enter");
    const owner = page.getByRole("group", { name: "Node type Owner" });
    expect(await owner.getByLabel("Id", { exact: true }).inputValue()).toBe("{owner_id}");
    await page.getByRole("button", { name: "owner_id → Owner" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "First relationships" }).getByText("HAS_OWNER").first().waitFor();
    await page.getByRole("button", { name: "Import into the graph" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("2 rows: 4 nodes and 2 relationships written, 0 lines rejected.").waitFor();
    expect(problems()).toEqual([]);
  }, 60_000);

  it("has a mapping that ikg import reads, and that is loaded again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ikg-console-import-"));
    try {
      const csv = "id;name;hours\n1;Ann;3\n2;Bob;4\n";
      const { page, problems } = await openImport(project.id);
      await chooseFile(page, "crew.csv", csv);
      await page
        .getByRole("group", { name: "Node type Crew" })
        .getByLabel("Node type", { exact: true })
        .fill("Member");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Save mapping" }).click(),
      ]);
      writeFileSync(join(folder, "crew.csv"), csv);
      writeFileSync(join(folder, "map.yaml"), readFileSync(await download.path()));
      const { code, output } = await runIkg(["import", "crew.csv", "--map", "map.yaml", "--dry-run"], {
        cwd: folder,
      });
      expect([code, output]).toEqual([0, expect.stringContaining("Member 2")]);
      await page.getByRole("button", { name: "Remove crew.csv" }).click();
      await chooseFile(page, "other.csv", csv);
      await page.getByLabel("Load mapping").setInputFiles(join(folder, "map.yaml"));
      await page.getByText("The mapping of crew.csv is used for other.csv").waitFor();
      await page.getByRole("region", { name: "First nodes" }).getByText("Member").first().waitFor();
      expect(problems()).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);

  it("is edited as a mapping file, with every fault at its line", async () => {
    const { page, problems } = await openImport(project.id);
    await chooseFile(page, "people.csv", "id,name\n1,Ann\n");
    await page.getByRole("tab", { name: "Mapping file" }).click();
    const text = page.getByLabel("Mapping file, YAML");
    const good = await text.inputValue();
    await text.fill(good.replace("type: Person", "typ: Person"));
    await page.getByText(/line \d+, column \d+: unknown key "typ"/).waitFor();
    await page.getByRole("tab", { name: "Form" }).click();
    await page.getByText("The text is not a valid mapping file").waitFor();
    expect(await page.getByRole("button", { name: "Dry run" }).isDisabled()).toBe(true);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Discard the text" }).click();
    await page.getByRole("region", { name: "First nodes" }).getByText("Person").waitFor();
    // A column that the file does not have.
    await page.getByRole("tab", { name: "Mapping file" }).click();
    await page.getByLabel("Mapping file, YAML").fill(good.replace("{id}", "{number}"));
    await page.getByText('unknown column "number"').waitFor();
    expect(problems()).toEqual([]);
  }, 60_000);

  it("says why a file is not read, and reads it in another encoding", async () => {
    const { page, problems } = await openImport(project.id);
    await chooseFile(page, "notes.txt", "x");
    await page.getByText("notes.txt: unsupported file type; accepted: .csv, .tsv").waitFor();
    await chooseFile(page, "people.csv", Buffer.from("id,name\n1,Blériot\n", "latin1"));
    await page.getByRole("alert").getByText("people.csv is not valid utf-8").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByLabel("Encoding of people.csv").selectOption("iso-8859-1");
    await page.getByRole("region", { name: "First nodes" }).getByText("name: Blériot").waitFor();
    await chooseFile(page, "broken.csv", 'id,name\n1,"Ann\n');
    await page.getByRole("alert").getByText("Quote Not Closed").waitFor();
    expect(problems()).toEqual([]);
  }, 60_000);

  it("shows texts of files as texts, whatever they are", async () => {
    const { page, problems } = await openImport(project.id, { viewport: { width: 390, height: 844 } });
    const cells = [markup, "\u202Egnp.exe", "👩‍👩‍👧 emoji", "__proto__", "w".repeat(10_000)];
    const columns = ["id", markup, "\u202Ecod", "__proto__", "constructor", "long"];
    const row = (id: string): string =>
      [id, ...cells].map((each) => `"${each.replaceAll('"', '""')}"`).join();
    const csv = [columns.map((each) => `"${each}"`).join(), row(markup), row("javascript:alert(1)"), ""].join(
      "\n",
    );
    await chooseFile(page, `${markup.replaceAll("/", "")}.csv`, csv);
    await page.getByRole("region", { name: "First nodes" }).getByText("javascript:alert(1)").waitFor();
    await pasteImportKey(page, project.clientKey);
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByText("2 rows read").waitFor();
    await page.getByRole("button", { name: "Import into the graph" }).click();
    await page.getByText(/2 rows: /).waitFor();
    expect(await page.evaluate(strangers)).toBe(0);
    expect(await isTooWide(page)).toBe(false);
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "import-hostile-390");
    expect(problems()).toEqual([]);
  }, 60_000);

  it("of a large file is stopped, goes on after a look at another screen, and leaves no line out", async () => {
    const rows = 20_000;
    const csv = `id,name\n${Array.from({ length: rows }, (_, at) => `r${at},Rider ${at}`).join("\n")}\n`;
    const { page, problems } = await openImport(project.id);
    await pasteImportKey(page, project.clientKey);
    await chooseFile(page, "riders.csv", csv);
    await page.getByRole("region", { name: "First nodes" }).waitFor();
    await page.getByRole("button", { name: "Import into the graph" }).click();
    const progress = page.getByRole("group", { name: "Progress of the import" });
    await progress.getByRole("button", { name: "Stop" }).click();
    await progress.getByRole("heading", { name: "Stopped" }).waitFor();
    await page.getByRole("link", { name: "Playground" }).click();
    await page.getByRole("link", { name: "Import", exact: true }).click();
    await progress.getByRole("button", { name: "Resume" }).click();
    await page
      .getByText("20,000 rows: 20,000 nodes and 0 relationships written")
      .waitFor({ timeout: 180_000 });
    // Counts are at most a minute old.
    const riders = async () => (await project.admin.graph.schema()).graph.nodes["Rider"]?.metadata.node_count;
    await eventually(riders, (count) => count === rows, { withinMs: 90_000, everyMs: 3_000 });
    expect(problems()).toEqual([]);
  }, 330_000);

  it("of lines that an export has needs no mapping", async () => {
    const lines = [
      { node: { type: "Hangar", external_id: "h1" } },
      {
        relationship: {
          source: { type: "Hangar", external_id: "h1" },
          type: "NEAR",
          target: { type: "Hangar", external_id: "none" },
        },
      },
    ];
    const { page, problems } = await openImport(project.id);
    await pasteImportKey(page, project.clientKey);
    await chooseFile(page, "export.ndjson", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await page.getByText("it needs no mapping").waitFor();
    await page.getByRole("button", { name: "Import into the graph" }).click();
    await page.getByText("2 rows: 1 node and 0 relationships written, 1 line rejected.").waitFor();
    await page.getByText("relationship.target: node does not exist").waitFor();
    expect(problems()).toEqual([]);
  }, 60_000);

  it("is continued with another key when the one in use is refused", async () => {
    const { page, problems } = await openImport(project.id);
    await pasteImportKey(page, "ak1_none_at_all");
    await chooseFile(page, "people.csv", "id,name\n1,Ann\n");
    await page.getByRole("region", { name: "First nodes" }).waitFor();
    await pasteImportKey(page, project.clientKey);
    await page.getByRole("button", { name: "Import into the graph" }).click();
    await page.getByText("1 row: 1 node and 0 relationships written").waitFor();
    expect(problems()).toEqual([]);
  }, 60_000);

  it("is not offered to roles that make no keys", async () => {
    const account = await newAccount("viewer", project.id);
    try {
      const { page, problems } = await openTab();
      await page.goto(`${consoleUrl()}#/import?project=${encodeURIComponent(project.id)}`);
      await signIn(page, account.token);
      await page.getByText("You cannot import").waitFor();
      expect(await page.getByRole("link", { name: "Import", exact: true }).count()).toBe(0);
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(problems()).toEqual([]);
    } finally {
      await account.remove();
    }
  }, 60_000);
});
