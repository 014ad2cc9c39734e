import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { describeInBrowser, keepScreenshot, openScreen } from "../../src/console/browser.ts";
import { environment } from "../../src/environment.ts";

/** The graph screen on 100,000 nodes, with one that is related to a thousand. */
const count = 100_000;
const neighbours = 1_010;

const member = (at: number) => ({ type: "Member", external_id: `m${String(at).padStart(6, "0")}` });
const club = { type: "Club", external_id: "everybody" };
/** With its members and their relationships 1,999 elements: just what is drawn. */
const smallerClub = { type: "Club", external_id: "most" };
const membersOfSmaller = 999;

let project: TestProject;

beforeAll(async () => {
  project = await createTestProject({
    baseUrl: environment().base_url,
    token: environment().service_account_token,
    name: "graph-large",
  });
  await project.ikg.capture.nodes([
    club,
    smallerClub,
    ...Array.from({ length: count - 2 }, (_, at) => member(at)),
  ]);
  const joined = (target: typeof club, members: number) =>
    Array.from({ length: members }, (_, at) => ({ source: member(at), type: "IN", target }));
  await project.ikg.capture.relationships([
    ...joined(club, neighbours),
    ...joined(smallerClub, membersOfSmaller),
  ]);
}, 600_000);
afterAll(() => project?.remove(), 300_000);

const link = (path: string, search: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams({ project: project.id, ...search }).toString()}`;

describeInBrowser("the graph screen on 100,000 nodes", () => {
  it("finds one of them by how its id begins", async () => {
    const { page, problems } = await openScreen(link("/graph", { type: "Member", prefix: "m09999" }));
    await page.getByRole("link", { name: "m099997" }).waitFor();
    expect(await page.getByText("8 nodes", { exact: true }).count()).toBe(1);
    expect(problems()).toEqual([]);
  }, 60_000);

  it("lists them page by page, with few rows in the document", async () => {
    const { page } = await openScreen(link("/graph", { type: "Member" }));
    const list = page.getByRole("region", { name: "Nodes", exact: true });
    for (let pages = 1; pages <= 5; pages += 1) {
      await page.getByText(`${(pages * 200).toLocaleString("en-US")} nodes, and there are more`).waitFor();
      await page.getByRole("button", { name: "Show more" }).click();
    }
    expect(await list.getByRole("row").count()).toBeLessThan(100);
  }, 60_000);

  it("counts its types", async () => {
    const { page } = await openScreen(link("/graph/types", {}));
    await page
      .getByRole("region", { name: "Types of nodes" })
      .getByText("99,998")
      .waitFor({ timeout: 60_000 });
  }, 90_000);

  it("draws 2,000 elements within 1.5 s", async () => {
    const { page, problems } = await openScreen(link("/graph/node", { type: "Club", id: "most" }));
    for (const shown of ["101 nodes, 100 relationships", "601 nodes, 600 relationships"]) {
      await page.getByText(shown).waitFor();
      await page.getByRole("button", { name: "Show 500 more" }).click();
    }
    await page.locator('.neighbourhood-canvas[data-elements="1999"]').waitFor();
    await keepScreenshot(page, "graph-1999-elements");
    const measured: readonly { readonly elements: number; readonly ms: number }[] = await page.evaluate(
      `performance.getEntriesByName("ikg:draw").map(({ detail, duration }) => ({ elements: detail.elements, ms: duration }))`,
    );
    expect(measured.map(({ elements }) => elements)).toContain(1_999);
    expect(Math.max(...measured.map(({ ms }) => ms))).toBeLessThan(1_500);
    expect(problems()).toEqual([]);
  }, 60_000);

  it("shows more of them as a table, and says so", async () => {
    const { page, problems } = await openScreen(link("/graph/node", { type: "Club", id: "everybody" }));
    for (const shown of ["101 nodes, 100 relationships", "601 nodes, 600 relationships"]) {
      await page.getByText(shown).waitFor();
      await page.getByRole("button", { name: "Show 500 more" }).click();
    }
    await page.getByText("1,011 nodes, 1,010 relationships").waitFor();
    await page.getByText("2,021 nodes and relationships are more than the 2,000 that are drawn").waitFor();
    const table = page.getByRole("region", { name: "Relationships", exact: true });
    expect(await table.getByRole("row").count()).toBeLessThan(100);
    await keepScreenshot(page, "graph-too-large");
    expect(problems()).toEqual([]);
  }, 60_000);
});
