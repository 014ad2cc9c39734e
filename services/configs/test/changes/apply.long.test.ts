import { describe, expect, it } from "@jest/globals";
import { kbacText } from "../policy-texts.ts";
import { freshName } from "../tenant.ts";
import { changesOf, putCiq, putPolicy, putQuery, remove } from "./changes-under-test.ts";
import { byName, changes, project, tenant, useProject } from "./project-under-test.ts";

useProject();

describe("a change set", () => {
  it("judges references on the state after all changes, whatever their order", async () => {
    await changes.apply([putQuery("loans", "lending"), putCiq("lending")]);
    const before = await byName("knowledge-queries", "loans");
    const ciq = await byName("authorization-policies", "lending");
    expect(before.body["policy_id"]).toBe(ciq.body["id"]);
    // The query moves to a new policy while its old one goes.
    await changes.apply([
      remove("authorization-policies", "lending"),
      putQuery("loans", "other"),
      putCiq("other"),
    ]);
    // A policy becomes one that no query can use, while its query goes.
    await changes.apply([putPolicy("other"), remove("knowledge-queries", "loans")]);
    await changes.apply([
      putCiq("lending"),
      putQuery("loans", "lending"),
      remove("authorization-policies", "other"),
    ]);
    await changes.apply([remove("authorization-policies", "lending"), remove("knowledge-queries", "loans")]);
    expect(await changes.texts()).toEqual({});
  });

  it("says what is wrong with its form", async () => {
    const answer = await changes.send([
      putPolicy("pa", {}, { status: "ON" }),
      putPolicy("pa"),
      { op: "move", collection: "authorization-policies", name: "px" },
    ]);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual(
      expect.arrayContaining([
        "changes[0].record.status: one of ACTIVE, INACTIVE, DRAFT",
        "changes[2].op: one of put, delete",
      ]),
    );
    expect((await changes.send([putPolicy("pa"), putPolicy("pa")])).body.errors).toEqual([
      "changes[1].name: named twice in this set",
    ]);
    expect((await changes.send([])).status).toBe(422);
    const many = Array.from({ length: 501 }, (_, index) => remove("knowledge-queries", `q-${index}`));
    expect((await changes.send(many)).body.errors).toEqual(["changes: 1-500 entries"]);
  });

  it("names every text that the database cannot plan", async () => {
    const unplannable = {
      ...(JSON.parse(kbacText()) as object),
      condition: {
        cypher:
          "MATCH (subject:Person)-[:OWNS]->(x) WITH subject, x.property.a + count(x) AS n MATCH (resource:Car) WHERE n > 1",
      },
    };
    const other = JSON.parse(JSON.stringify(unplannable).replace("n > 1", "n > 2")) as object;
    const answer = await changes.send([
      putPolicy("first", {}, { policy: unplannable }),
      putPolicy("fine"),
      putPolicy("second", {}, { policy: other }),
    ]);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      "changes[0].policy.condition.cypher: the database cannot plan this pattern",
      "changes[2].policy.condition.cypher: the database cannot plan this pattern",
    ]);
    expect(await changes.texts()).toEqual({});
  });

  it("makes no version of a put that changes nothing, and no change record where nothing changed", async () => {
    const full = { display_name: "Shown", description: "Why", tags: ["t"] };
    await changes.apply([putPolicy("pa", {}, full), putCiq("lending"), putQuery("loans", "lending")]);
    const same = await changes.apply([
      putPolicy("pa", {}, full),
      putPolicy("pb"),
      putQuery("loans", "lending"),
    ]);
    expect(same.changes).toMatchObject([{ name: "pb" }]);
    expect(same.unchanged).toMatchObject([
      { name: "pa", from_version: 1, to_version: 1 },
      { name: "loans", from_version: 1, to_version: 1 },
    ]);
    // What is left out stays as it is.
    const again = await changes.apply([putPolicy("pa"), putPolicy("pb")]);
    expect(again).toMatchObject({ changes: [], unchanged: [{ name: "pa" }, { name: "pb" }] });
    expect(again).not.toHaveProperty("id");
    const kept = await byName("authorization-policies", "pa");
    expect(kept.headers.get("etag")).toMatch(/./);
    const listed = await tenant.send("GET", `/changes?project_id=${project}`);
    expect(listed.body["items"]).toHaveLength(2);
  });

  it("says in a dry run what it would do, warnings included, and does nothing", async () => {
    await changes.apply([putPolicy("pa")]);
    const before = await changes.texts();
    const open = JSON.parse(kbacText().replace("[:OWNS]", "[:OWNS*]")) as object;
    const set = [
      putPolicy("pa", {}, { policy: open }),
      putPolicy("pb"),
      remove("authorization-policies", "pa"),
    ];
    const dry = await changes.send(set.slice(0, 2), {}, "?dry_run=true");
    expect(dry.status).toBe(200);
    expect(dry.body).toMatchObject({
      dry_run: true,
      changes: [
        { name: "pa", from_version: 1, to_version: 2 },
        { name: "pb", from_version: 0, to_version: 1 },
      ],
    });
    expect(dry.body).not.toHaveProperty("id");
    expect(dry.body["warnings"]).toEqual(expect.arrayContaining([expect.objectContaining({ change: 0 })]));
    expect(await changes.texts()).toEqual(before);
    expect((await changes.send([putQuery("pq", "none")], {}, "?dry_run=true")).status).toBe(422);
    const real = await changes.apply(set.slice(0, 2));
    expect(real.warnings).toEqual(dry.body["warnings"]);
  });

  it("counts against the limits of its project as a whole", async () => {
    const limited = await tenant.make("/projects", {
      organization_id: tenant.organization,
      name: freshName(),
      limits: { authorization_policies: 2 },
    });
    const own = changesOf(tenant, limited.id);
    await own.apply([putPolicy("pa"), putPolicy("pb")]);
    const answer = await own.send([putPolicy("pc"), putPolicy("pd"), remove("authorization-policies", "pa")]);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      "project_id: the project has 2 authorization policies and may have 2 (limit authorization_policies)",
    ]);
    // What goes makes room for what comes.
    await own.apply([
      putPolicy("pc"),
      putPolicy("pd"),
      remove("authorization-policies", "pa"),
      remove("authorization-policies", "pb"),
    ]);
  });
});

describe("change sets at the same time", () => {
  it("without versions: both are applied, one after the other, and deadlocks are never visible", async () => {
    const names = Array.from({ length: 6 }, (_, index) => `p-${index}`);
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        changes.send(
          (index % 2 === 0 ? names : names.toReversed()).map((name) =>
            putPolicy(name, {}, { description: `by ${index}` }),
          ),
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const texts = Object.values(await changes.texts()) as { description: string }[];
    expect(texts).toHaveLength(6);
    // Each set is whole: the last one wins with all that it has.
    expect(new Set(texts.map(({ description }) => description)).size).toBe(1);
  });
});
