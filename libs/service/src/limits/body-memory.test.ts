import { describe, expect, it } from "@jest/globals";
import { type BodyMemory, openBodyMemory, type Reservation } from "./body-memory.ts";
import { tenantOf as of } from "../../test/tenant-of.ts";

const open = (waitMs = 50): BodyMemory => openBodyMemory({ total: 100, perProject: 60, waitMs });

/** What is admitted within the next turns of the event loop. */
const outcomes = async (reservations: readonly Promise<Reservation>[]): Promise<string[]> => {
  const found = reservations.map(() => "waits");
  for (const [at, each] of reservations.entries())
    each.then(
      () => (found[at] = "admitted"),
      () => (found[at] = "refused"),
    );
  await new Promise(setImmediate);
  return found;
};

const ofProject = {
  code: "too_many_requests",
  status: 429,
  errors: ["bytes of bodies: at most 60 of one project at one time (BODY_BYTES_PER_PROJECT)"],
  headers: { "Retry-After": "1" },
};
const ofProcess = {
  code: "unavailable",
  status: 503,
  errors: ["bytes of bodies: at most 100 of a process at one time (BODY_BYTES)"],
};

describe("memory for bodies", () => {
  it("is shared by projects: one that has its share waits, and is refused after a time", async () => {
    const memory = open();
    await memory.reserve(of("a"), 60);
    const more = memory.reserve(of("a"), 1);
    await memory.reserve(of("b"), 40);
    await expect(more).rejects.toMatchObject(ofProject);
    await expect(memory.reserve(of("b"), 1)).rejects.toMatchObject(ofProcess);
  });

  it("is three quarters of it for all projects of one organization", async () => {
    const memory = open();
    await memory.reserve(of("a", "many"), 40);
    await memory.reserve(of("b", "many"), 35);
    const more = memory.reserve(of("c", "many"), 1);
    await memory.reserve(of("d"), 25);
    await expect(more).rejects.toMatchObject({
      code: "too_many_requests",
      errors: ["bytes of bodies: at most 75 of one organization at one time (three quarters of BODY_BYTES)"],
    });
  });

  it("is admitted as soon as it is given back", async () => {
    const memory = open(5_000);
    const first = await memory.reserve(of("a"), 60);
    const second = memory.reserve(of("a"), 30);
    first.shrink(31);
    expect(await outcomes([second])).toEqual(["waits"]);
    first.shrink(30);
    expect(await outcomes([second])).toEqual(["admitted"]);
    first.release();
    first.release();
    await memory.reserve(of("a"), 30);
    const beyond = openBodyMemory({ total: 100, perProject: 60, waitMs: 1 });
    await expect(beyond.reserve(of("x"), 1)).resolves.toBeDefined();
    expect(await outcomes([memory.reserve(of("a"), 1)])).toEqual(["waits"]);
  });

  it("goes to the project that has least of it", async () => {
    const memory = open(5_000);
    const [first] = await Promise.all([
      memory.reserve(of("a"), 30),
      memory.reserve(of("b"), 60),
      memory.reserve(of("a"), 10),
    ]);
    const waiting = [memory.reserve(of("a"), 20), memory.reserve(of("a"), 20), memory.reserve(of("c"), 20)];
    expect(await outcomes(waiting)).toEqual(["waits", "waits", "waits"]);
    first.shrink(10);
    expect(await outcomes(waiting)).toEqual(["waits", "waits", "admitted"]);
  });

  it("does not keep one project waiting for another one's share", async () => {
    const memory = open(5_000);
    await memory.reserve(of("a"), 60);
    const waiting = [memory.reserve(of("a"), 10), memory.reserve(of("b"), 10)];
    expect(await outcomes(waiting)).toEqual(["waits", "admitted"]);
  });

  it("admits a body larger than a limit when it is alone", async () => {
    const memory = open();
    const alone = await memory.reserve(of("a"), 500);
    await expect(memory.reserve(of("b"), 1)).rejects.toMatchObject(ofProcess);
    alone.release();
    await expect(memory.reserve(of("b"), 1)).resolves.toBeDefined();
  });
});
