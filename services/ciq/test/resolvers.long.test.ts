import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { Json } from "./ciq-under-test.ts";
import {
  useGarage,
  secret,
  upstream,
  ciq,
  project,
  garage,
  policyId,
  gid,
  failing,
  queryName,
  ask,
  executeWhenKnown,
  car,
  nodes,
} from "./garage.ts";

useGarage();

describe("an external value", () => {
  it("stands under its path, with the stored metadata beside it", async () => {
    expect(
      await nodes("car2", ["car.external_id", "car.property.price", "car.property.price.metadata.source"]),
    ).toEqual({
      "car.external_id": "car2",
      "car.property.price": 18400,
      "car.property.price.metadata.source": "pricing-api",
    });
  });

  it("may be any JSON, also null", async () => {
    const paths = ["nothing", "list", "meta", "chunks", "problem"].map((name) => `car.property.${name}`);
    expect(await nodes("car2", paths)).toEqual({
      "car.property.nothing": null,
      "car.property.list": [1, { a: "x" }],
      "car.property.meta": { p: 1.5 },
      "car.property.chunks": "ü",
      "car.property.problem": 2,
    });
    expect(String((await nodes("car2", ["car.property.nearly"]))["car.property.nearly"])).toHaveLength(
      1024 * 1024 - 20,
    );
  });

  it("is found by the name of its resolver and by its gid", async () => {
    expect(await nodes("named", ["car.property.price.value"])).toEqual({ "car.property.price.value": 18400 });
    expect(upstream.seen).toHaveLength(1);
  });

  it("comes through wildcards", async () => {
    const all = { "car.property.name": "One", "car.property.price": 18400 };
    expect(await nodes("car1", ["car.*"])).toMatchObject({
      ...all,
      "car.external_id": "car1",
      "car.type": "Car",
    });
    expect(await nodes("car1", ["car.property.*"])).toEqual(all);
    expect(await nodes("car2", ["car.property.price.*"])).toEqual({
      "car.property.price": 18400,
      "car.property.price.metadata.source": "pricing-api",
    });
    expect(upstream.seen).toHaveLength(3);
  });

  it("is not asked for by a whole node, metadata, other properties or a filter", async () => {
    const { Props } = (await nodes("car2", ["car"]))["car"] as { Props: Json };
    expect(Object.keys(Props)).not.toContain("price");
    await nodes("car2", [
      "car.property.price.metadata.source",
      "car.property.price.metadata.*",
      "car.property.name",
    ]);
    const filtered = await ask({
      nodes: ["car.external_id"],
      filter: { attribute: "car.property.price", operator: ">", value: 0 },
    });
    expect(filtered.body).toEqual({ data: [] });
    expect(upstream.seen).toEqual([]);
  });

  it("is asked for as its resolver says, and with nothing else of the caller's", async () => {
    const params = { a: "../x y", n: 5, two: "t", _externalId: "mine", _appId: "mine", token: "mine" };
    const { "car.property.echo": sent } = await nodes("car2", ["car.property.echo"], params);
    const app = encodeURIComponent(ciq.application);
    expect(sent).toMatchObject({
      method: "POST",
      url: `/echo/..%2Fx%20y/car2/Car/echo?q=none&app=${app}`,
      body: '{"typed":5,"text":"n is 5","{$a}":["off"]}',
      headers: {
        host: new URL(upstream.url).host,
        authorization: `Bearer ${secret}`,
        accept: "application/json",
        "content-type": "application/json",
        "accept-encoding": "identity",
      },
    });
    const { rawHeaders, headers } = sent as { rawHeaders: string[]; headers: Json };
    expect(rawHeaders.filter((_, index) => rawHeaders[index - 1] === "X-Two")).toEqual(["one", "t"]);
    expect(Object.keys(headers).toSorted()).toEqual([
      "accept",
      "accept-encoding",
      "authorization",
      "connection",
      "content-length",
      "content-type",
      "host",
      "x-two",
    ]);
    expect(await nodes("car2", ["car.property.plain"])).toEqual({ "car.property.plain": "" });
  });
});

describe("a resolver that names properties of the node", () => {
  const sent = {
    url: "/echo/%C3%96st%2FV%C3%A4st%20%3F%23/placed/Car?z=7&n=3",
    body: '{"lat":59.33,"text":"at \u00d6st/V\u00e4st ?#","tags":["a","b"]}',
    headers: { "x-code": "P 1" },
  };

  it("receives them, whichever path asks for the value and whether it shows them", async () => {
    for (const path of ["car.property.weather", "car.property.weather.value", "car.*", "car.property.*"]) {
      const shown = await nodes("placed", [path], { n: 3 });
      expect(shown["car.property.weather"] ?? shown["car.property.weather.value"]).toMatchObject(sent);
    }
    expect(JSON.stringify(upstream.seen)).not.toContain("not for every reader");
  });

  it("receives what a query has written a moment before, in steps and in one statement", async () => {
    const name = queryName();
    await project.query(name, policyId, {
      upsert_nodes: [{ name: "car", properties: [{ type: "code", value: "$code" }] }],
      nodes: ["car.property.weather"],
      filter: car("placed"),
    });
    for (const code of ["W 1", "W 2", "P 1"]) {
      const { body } = await executeWhenKnown(name, { code, n: 3 }, {}, ciq);
      expect(body).toMatchObject({
        data: [{ nodes: { "car.property.weather": { ...sent, headers: { "x-code": code } } } }],
      });
    }
  });

  it("is not called without one of them, or with one that does not fit its place", async () => {
    for (const id of ["unplaced", "lost"]) {
      const { status, body } = await ask({ nodes: ["car.property.weather"], filter: car(id) });
      expect([status, body]).toEqual([
        200,
        {
          data: [{ nodes: { "car.property.weather": null } }],
          errors: [{ row: 0, path: "car.property.weather", resolver: "weather", reason: "missing_param" }],
        },
      ]);
    }
    expect(upstream.seen).toEqual([]);
  });
});

describe("values that cannot be resolved", () => {
  it("is null, with the reason and nothing else of it, and the request goes on", async () => {
    const paths = Object.keys(failing).map((name) => `car.property.${name}`);
    const { status, body } = await ask({ nodes: ["car.external_id", ...paths], filter: car("bad") });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        { nodes: { "car.external_id": "bad", ...Object.fromEntries(paths.map((path) => [path, null])) } },
      ],
      errors: Object.entries(failing).map(([name, reason]) => {
        return { row: 0, path: `car.property.${name}`, resolver: name, reason };
      }),
    });
    // The redirect was not followed, and nothing was tried again.
    expect(upstream.seen.map(({ url }) => url).toSorted()).toEqual(
      Object.keys(failing)
        .map((name) => `/${name}`)
        .toSorted(),
    );
  });

  it("are reported row by row", async () => {
    const names = ["price", "absent", "no_match", "param", "type"];
    const { status, body } = await ask({
      nodes: names.map((name) => `car.property.${name}`),
      filter: { attribute: "car.external_id", operator: "IN", value: ["car1", "car2"] },
    });
    expect(status).toBe(200);
    const none = { "car.property.absent": null, "car.property.no_match": null, "car.property.param": null };
    expect(body["data"]).toEqual([
      { nodes: { "car.property.price": 18400, "car.property.type": null, ...none } },
      { nodes: { "car.property.price": 18400, "car.property.type": null, ...none } },
    ]);
    expect(body["errors"]).toEqual([
      { row: 1, path: "car.property.absent", resolver: "absent", reason: "resolver_not_found" },
      { row: 1, path: "car.property.no_match", resolver: "no-match", reason: "selector_no_match" },
      { row: 1, path: "car.property.param", resolver: "param", reason: "missing_param" },
      { row: 1, path: "car.property.type", resolver: "no-match", reason: "selector_no_match" },
    ]);
  });

  it("is logged by resolver and reason alone", async () => {
    await pause(100);
    const lines = ciq
      .output()
      .split("\n")
      .filter((line) => line.includes("external value"))
      .map((line) => JSON.parse(line) as Json);
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) {
      expect(Object.keys(line).filter((name) => name !== "resolver")).toEqual([
        "time",
        "level",
        "service",
        "msg",
        "reason",
      ]);
    }
    const output = ciq.output();
    for (const hidden of [secret, upstream.url, new URL(upstream.url).host, "18400", "never sent"])
      expect(output).not.toContain(hidden);
  });
});

describe("a query that writes", () => {
  it("stores a reference without a call, and shows its value", async () => {
    const upsert = {
      upsert_nodes: [
        {
          name: "car",
          properties: [{ type: "fresh", external_value: "$r", metadata: [{ type: "source", value: "s" }] }],
        },
      ],
      filter: car("car1"),
    };
    const silent = await ask({ ...upsert, nodes: ["car.external_id"] }, { r: "price" });
    expect([silent.status, upstream.seen]).toEqual([200, []]);
    const { body } = await ask(
      { ...upsert, nodes: ["car.property.fresh", "car.property.fresh.metadata.source"] },
      { r: gid },
    );
    expect(body).toEqual({
      data: [{ nodes: { "car.property.fresh": 18400, "car.property.fresh.metadata.source": "s" } }],
    });
    expect(upstream.seen).toHaveLength(1);
    expect((await garage.node("Car/car1"))?.fields["fresh.external_value"]).toBe(gid);
  });

  it("stays written when the resolver fails", async () => {
    const { status, body } = await ask({
      upsert_nodes: [{ name: "car", properties: [{ type: "fresh", external_value: "nobody" }] }],
      nodes: ["car.property.fresh"],
      filter: car("car1"),
    });
    expect([status, body]).toEqual([
      200,
      {
        data: [{ nodes: { "car.property.fresh": null } }],
        errors: [{ row: 0, path: "car.property.fresh", resolver: "nobody", reason: "resolver_not_found" }],
      },
    ]);
    expect((await garage.node("Car/car1"))?.fields["fresh.external_value"]).toBe("nobody");
  });
});
