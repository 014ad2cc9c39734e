import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { Ikg, IkgAdmin, IkgUnreachable } from "@ikg/client";
import { document, documents, failureOf, ikg, node, project } from "../../src/fixtures/client-project.ts";

describe("decisions and searches", () => {
  it("are the same joined and alone", async () => {
    const p0 = ikg.as({ type: "Person", id: "p0" });
    const ids = documents.slice(0, 120);
    const joined = await Promise.all(ids.map((id) => p0.can("READ", document(id))));
    expect(joined).toEqual(ids.map((_, at) => at % 3 === 0));
    const alone = await Promise.all(
      ids.slice(0, 6).map((id) => p0.can("READ", document(id), { join: false })),
    );
    expect(alone).toEqual(joined.slice(0, 6));
  });

  it("fail for their own caller alone, with the same code joined and alone", async () => {
    const p0 = ikg.as({ type: "Person", id: "p0" });
    const [granted, joined, denied] = await Promise.all([
      p0.can("EDIT", document("d3"), { params: { level: 3 } }),
      failureOf(p0.can("EDIT", document("d3"))),
      p0.can("EDIT", document("d3"), { params: { level: 4 } }),
    ]);
    const alone = await failureOf(p0.can("EDIT", document("d3"), { join: false }));
    expect([granted, denied]).toEqual([true, false]);
    expect([joined.code, joined.status, joined.errors]).toEqual(["input_param_missing", 422, alone.errors]);
    expect(alone.code).toBe("input_param_missing");
  });

  it("explain themselves", async () => {
    const p1 = ikg.as({ type: "Person", id: "p1" });
    const decisions = await Promise.all(
      ["d0", "d1"].map((id) => p1.decide("READ", document(id), { explain: true })),
    );
    expect(
      decisions.map(({ context }) => context?.explanation?.candidates.map(({ outcome }) => outcome)),
    ).toEqual([["pattern_not_matched"], ["granted"]]);
  });

  it("search resources, subjects and actions, all pages", async () => {
    const p1 = ikg.as({ type: "Person", id: "p1" });
    const found = await p1.resources("READ", "Document", { pageSize: 7 }).toArray();
    expect(found.map(({ id }) => id)).toEqual(documents.filter((_, at) => at % 3 === 1).toSorted());
    expect(await ikg.subjects("Person", "READ", document("d2")).toArray()).toEqual([
      { type: "Person", id: "p2" },
    ]);
    const actions = await p1.actions(document("d1"), { params: { level: 0 } }).toArray();
    expect(actions.map(({ name }) => name).toSorted()).toEqual(["EDIT", "READ"]);
  });

  it("end by a signal and by a deadline", async () => {
    const p0 = ikg.as({ type: "Person", id: "p0" });
    const signal = AbortSignal.abort(new Error("enough"));
    expect((await failureOf(p0.can("READ", document("d0"), { signal }))).message).toBe("enough");
    // The suite may be quicker than any deadline: this server never answers.
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo; // of TCP
    const unanswered = new Ikg({ baseUrl: `http://127.0.0.1:${port}`, clientKey: "ak1_x", timeoutMs: 100 });
    const late = await failureOf(unanswered.as({ type: "Person", id: "p0" }).can("READ", document("d0")));
    expect(late).toBeInstanceOf(IkgUnreachable);
    silent.closeAllConnections();
    silent.close();
  });

  it("show active policies and what the graph holds", async () => {
    expect(await ikg.policies("Person")).toHaveLength(2);
    const { graph } = await ikg.dataSchema();
    expect(graph.directed).toBe(true);
  });
});

describe("a session", () => {
  it("keeps the token of its writes for its reads", async () => {
    const session = ikg.session();
    expect(session.consistencyToken).toBe(undefined);
    await session.capture.nodes([node("Document", "fresh", { level: 1 })]);
    const token = session.consistencyToken;
    expect(token).toBeTruthy();
    expect(await session.as({ type: "Person", id: "p0" }).can("READ", document("fresh"))).toBe(false);
    const other = ikg.session(`${token}x`);
    const error = await failureOf(other.as({ type: "Person", id: "p0" }).can("READ", document("fresh")));
    expect(error.code).toBe("invalid_request");
    await ikg.capture.deleteNodes([{ type: "Document", external_id: "fresh" }]);
  });
});

describe("credentials that are not valid", () => {
  it("are errors with their codes", async () => {
    const { baseUrl } = project;
    const wrong = new Ikg({ baseUrl, clientKey: "ak1_wrong" }).as({ type: "Person", id: "p0" });
    expect((await failureOf(wrong.can("READ", document("d0")))).code).toBe("client_key_invalid");
    const stranger = new IkgAdmin({ baseUrl, token: "wrong" });
    expect((await failureOf(stranger.organization())).code).toBe("service_account_invalid");
    const forged = ikg.as({ type: "Person", id: "p0", token: "a.b.c" });
    expect((await failureOf(forged.can("READ", document("d0")))).code).toBe("bearer_invalid");
  });
});
