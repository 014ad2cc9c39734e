import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { paths, recordIn } from "./populate.ts";
import { configs, ours, sampleOf, stranger, tenant, theirs, useTwoTenants } from "./two-tenants.ts";

useTwoTenants();

describe("reading by name", () => {
  it("needs the project, once", async () => {
    const { application } = ours;
    expect((await tenant.send("GET", `/applications/${application.name}`)).body).toEqual({
      message: "Bad Request",
      errors: ["project_id: required to read by name"],
    });
    const two = `project_id=${ours.project.id}&location=${newGid("project")}`;
    expect((await tenant.send("GET", `/applications/${application.name}?${two}`)).status).toBe(400);
    expect((await tenant.send("GET", `/applications/${application.name}?project_id=x`)).status).toBe(400);
    expect(
      (await tenant.send("GET", `/applications/${application.name}?project_id=${newGid("project")}`)).status,
    ).toBe(404);
  });

  it("takes the caller's organization for projects", async () => {
    expect((await tenant.send("GET", `/projects/${ours.project.name}`)).body).toEqual(ours.project.body);
    expect((await tenant.send("GET", `/projects/${theirs.project.name}`)).status).toBe(404);
  });

  it("does not mistake one collection for another", async () => {
    for (const path of paths)
      for (const other of ours.samples.filter((sample) => sample.path !== path))
        expect((await tenant.send("GET", `${path}/${other.made.id}`)).status).toBe(404);
  });

  it("is not there for credentials", async () => {
    const url = `/application-agent-credentials/some-key?project_id=${ours.project.id}`;
    expect((await tenant.send("GET", url)).status).toBe(404);
  });
});

describe("listing", () => {
  it("is in the order of making and narrowed by search", async () => {
    const project = await tenant.project();
    const names = ["zebra-one", "alpha-two", "mid-three"];
    for (const name of names)
      await tenant.make("/applications", {
        project_id: project.id,
        name,
        description: name === "mid-three" ? "Über $1 %" : "",
      });
    const list = async (query: string): Promise<unknown[]> => {
      const answer = await tenant.send("GET", `/applications?project_id=${project.id}${query}`);
      expect(answer.status).toBe(200);
      return (answer.body["data"] as { name: string }[]).map((record) => record.name);
    };
    expect(await list("")).toEqual(names);
    expect(await list("&search=")).toEqual(names);
    expect(await list("&search=ALPHA")).toEqual(["alpha-two"]);
    expect(await list(`&search=${encodeURIComponent("über $1 %")}`)).toEqual(["mid-three"]);
    expect(await list(`&search=${encodeURIComponent("' OR 1=1 //")}`)).toEqual([]);
    expect(await list("&search=.")).toEqual([]);
    expect(await list("&type=anything")).toEqual(names);
    expect(await list("&full_fetch=false")).toEqual(names);
  });

  it("leaves out the texts of policies and queries unless they are asked for, and nothing else", async () => {
    for (const [path, field] of [
      ["/authorization-policies", "policy"],
      ["/knowledge-queries", "query"],
    ] as const) {
      const { made } = sampleOf(ours, path);
      const list = async (query: string): Promise<unknown> => {
        const answer = await tenant.send("GET", `${path}?project_id=${ours.project.id}&${query}`);
        return (answer.body["data"] as { id: string }[]).find(({ id }) => id === made.id);
      };
      const record = recordIn(made.body);
      expect(await list("full_fetch=true")).toEqual(record);
      for (const query of ["", "full_fetch=false"])
        expect(await list(query)).toEqual({ ...record, [field]: "" });
    }
  });

  it("is everything of the organization without a parent", async () => {
    const mine = await configs.tenant();
    expect((await mine.send("GET", "/applications")).body).toEqual({ data: [] });
    const [one, two] = [await mine.project(), await mine.project()];
    const apps = [
      await mine.make("/applications", { project_id: one.id, name: "app" }),
      await mine.make("/applications", { project_id: two.id, name: "app" }),
    ];
    expect((await mine.send("GET", "/applications")).body["data"]).toEqual(apps.map((app) => app.body));
    expect((await mine.send("GET", "/projects")).body["data"]).toEqual([one.body, two.body]);
    expect((await mine.send("GET", `/applications?project_id=${two.id}`)).body["data"]).toEqual([
      apps[1]?.body,
    ]);
  });

  it.each(["full_fetch=yes", "full_fetch=", "project_id=x", "project_id=", "search=a&search=b"])(
    "refuses %s",
    async (query) => expect((await tenant.send("GET", `/applications?${query}`)).status).toBe(400),
  );

  it("knows no parent of others", async () => {
    expect((await tenant.send("GET", `/applications?project_id=${newGid("project")}`)).status).toBe(404);
    expect((await tenant.send("GET", `/applications?organization_id=${stranger.organization}`)).status).toBe(
      404,
    );
    expect((await tenant.send("GET", `/applications?project_id=${newGid("application")}`)).status).toBe(400);
  });
});

describe("organizations", () => {
  it("shows the caller's own and no other", async () => {
    const current = await tenant.send("GET", "/organizations/current");
    expect(current.status).toBe(200);
    expect(Object.keys(current.body).sort()).toEqual([
      "create_time",
      "created_by",
      "display_name",
      "id",
      "name",
      "update_time",
      "updated_by",
    ]);
    expect((await tenant.send("GET", `/organizations/${tenant.organization}`)).body).toEqual(current.body);
    for (const id of [stranger.organization, "default", newGid("organization")])
      expect((await tenant.send("GET", `/organizations/${id}`)).status).toBe(404);
    expect((await tenant.send("POST", "/organizations", {})).status).toBe(404);
    expect((await tenant.send("DELETE", `/organizations/${tenant.organization}`)).status).toBe(405);
  });
});
