import { mock } from "node:test";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { openBodyPace } from "./body-pace.ts";
import { tenantOf as of } from "../../test/tenant-of.ts";

/** Where a body's time is as many milliseconds as it has bytes. */
const bytesPerSecond = 1_000;
const longMs = 10_000;

/** Names in the order in which their bodies are processed, with the time at which each begins. */
const openOrder = () => {
  const started = performance.now();
  const names: string[] = [];
  const times = new Map<string, number>();
  return {
    names,
    after: (name: string): number => (times.get(name) ?? Infinity) - started,
    of: async (name: string, admission: Promise<void>): Promise<void> => {
      await admission;
      names.push(name);
      times.set(name, performance.now());
    },
  };
};

describe("large bodies", () => {
  it("are taken as they come while one project asks", async () => {
    const pace = openBodyPace({ bytesPerSecond });
    const order = openOrder();
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => {
        pace.note(of("a"));
        return order.of(String(at), pace.admit(of("a"), 1_000, longMs));
      }),
    );
    expect(order.after("19")).toBeLessThan(1_000);
  });

  it("are taken as they come again when the others have asked nothing for ten seconds", async () => {
    let time = 0;
    const pace = openBodyPace({ bytesPerSecond, now: () => time });
    pace.note(of("b"));
    pace.note(of("a"));
    await pace.admit(of("a"), 1_000, longMs);
    await expect(pace.admit(of("a"), 1_000, 20)).rejects.toMatchObject({ status: 429 });
    time = 10_001;
    pace.note(of("a"));
    for (let at = 0; at < 3; at++) await pace.admit(of("a"), 1_000, 20);
  });

  it("of all projects of an organization have three quarters of the time while another one asks", async () => {
    const pace = openBodyPace({ bytesPerSecond });
    const order = openOrder();
    const many = ["a", "b", "c", "d"].map((id) => of(id, "many"));
    pace.note(of("other"));
    for (const each of many) pace.note(each);
    await Promise.all(many.map((each) => order.of(each.id, pace.admit(each, 150, longMs))));
    expect(order.names).toEqual(["a", "b", "c", "d"]);
    // Each takes 150 ms, and the next of the organization follows after 200.
    expect(order.after("d")).toBeGreaterThanOrEqual(599);
    pace.note(of("other"));
    await expect(pace.admit(of("e", "many"), 150, 20)).rejects.toMatchObject({
      status: 429,
      errors: [
        "bytes of bodies per second: at most 750 of one organization (three quarters of BODY_BYTES_PER_SECOND)",
      ],
    });
  });

  it("of one project have half of the time while others ask", async () => {
    const pace = openBodyPace({ bytesPerSecond });
    const order = openOrder();
    pace.note(of("b"));
    pace.note(of("a"));
    await Promise.all([0, 1, 2].map((at) => order.of(`a${at}`, pace.admit(of("a"), 100, longMs))));
    expect(order.names).toEqual(["a0", "a1", "a2"]);
    expect(order.after("a0")).toBeLessThan(190);
    expect(order.after("a1")).toBeGreaterThanOrEqual(199);
    expect(order.after("a2")).toBeGreaterThanOrEqual(398);
  });

  it("of one project are begun by its half of the bytes, and refused when they have waited too long", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      let time = 0;
      const pace = openBodyPace({ bytesPerSecond: 200_000, now: () => time });
      pace.note(of("b"));
      pace.note(of("a"));
      const ends: (readonly [ms: number, outcome: string])[] = [];
      for (let body = 0; body < 8; body++)
        void pace.admit(of("a"), 150_000, 4_000).then(
          () => ends.push([time, "begun"]),
          ({ status }: { status: number }) => ends.push([time, String(status)]),
        );
      await turn();
      while (time < 6_000) {
        time += 1;
        mock.timers.tick(1);
        await turn();
      }
      expect(ends).toEqual([
        [0, "begun"],
        [1_500, "begun"],
        [3_000, "begun"],
        ...Array.from({ length: 5 }, () => [4_000, "429"]),
      ]);
    } finally {
      mock.timers.reset();
    }
  });

  it("count by the time that they take where that is long for their bytes", async () => {
    const pace = openBodyPace({ bytesPerSecond });
    const order = openOrder();
    pace.note(of("b"));
    pace.note(of("a"));
    const work = async (name: string): Promise<void> => {
      await order.of(name, pace.admit(of("a"), 1, longMs));
      for (const until = performance.now() + 30; performance.now() < until;);
    };
    await Promise.all([work("a0"), work("a1")]);
    expect(order.after("a1")).toBeGreaterThanOrEqual(30 * 8 * 2);
  });

  it("are taken from the project whose last one is longest ago, however many of others wait", async () => {
    const pace = openBodyPace({ bytesPerSecond });
    const order = openOrder();
    for (const each of ["a", "b", "c"]) pace.note(of(each));
    const admissions = ["a0", "a1", "a2", "b0", "b1", "b2"].map((name) =>
      order.of(name, pace.admit(of(name.charAt(0)), 100, longMs)),
    );
    await wait(30);
    admissions.push(order.of("c0", pace.admit(of("c"), 100, longMs)));
    await Promise.all(admissions);
    expect(order.names.slice(0, 3)).toEqual(["a0", "b0", "c0"]);
    // All of them together have one body's time each.
    expect(order.after(order.names.at(-1) ?? "")).toBeGreaterThanOrEqual(598);
  });

  it("wait no longer than they may, and are refused by the setting's name", async () => {
    const refused: string[] = [];
    const pace = openBodyPace({ bytesPerSecond }, (limit) => refused.push(limit));
    for (const each of ["a", "b"]) pace.note(of(each));
    await pace.admit(of("a"), 10_000, longMs);
    await expect(pace.admit(of("a"), 1, 20)).rejects.toMatchObject({
      code: "too_many_requests",
      status: 429,
      errors: ["bytes of bodies per second: at most 500 of one project (half of BODY_BYTES_PER_SECOND)"],
      headers: { "Retry-After": "1" },
    });
    await expect(pace.admit(of("b"), 1, 20)).rejects.toMatchObject({
      code: "unavailable",
      status: 503,
      errors: ["bytes of bodies per second: at most 1000 of a process (BODY_BYTES_PER_SECOND)"],
    });
    expect(refused).toEqual(["bytes of bodies per second", "bytes of bodies per second"]);
  });
});
