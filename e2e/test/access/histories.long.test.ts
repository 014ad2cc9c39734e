import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { ownersMay } from "../../src/configuration/owners-may.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { long } from "../../src/long.ts";
import { capture } from "../../src/requests/capture.ts";
import { openIkg } from "../../src/requests/clients.ts";
import { evaluate } from "../../src/requests/evaluate.ts";

/** 8 writers grant and revoke, each its own doors; every client asks about all of them; then the history is judged. */
const writers = 8;
const doorsEach = 3;
const readers = 4;
const durationMs = long(4_000, 60_000);

let tenant: Tenant;

const doors = Array.from({ length: writers * doorsEach }, (_, i) => `d${i}`);
const owning = (door: string) => ({
  source: { type: "Person", external_id: "ann" },
  target: { type: "Door", external_id: door },
  type: "OWNS",
});

beforeAll(async () => {
  tenant = await createTenant("histories");
  await capture(
    {
      nodes: [
        { type: "Person", external_id: "ann" },
        ...doors.map((external_id) => ({ type: "Door", external_id })),
      ],
      relationships: [],
    },
    tenant,
  );
  await savePolicy(tenant.projectId, ownersMay("OPEN"));
});
afterAll(() => tenant?.remove());

interface Call {
  readonly begun: number;
  readonly ended: number;
}
/** A door granted or revoked; calls about one door come one after the other. */
interface Change extends Call {
  readonly grants: boolean;
}
interface Question extends Call {
  readonly granted: boolean;
}

const timed = async <T>(work: () => Promise<T>): Promise<Call & { readonly value: T }> => {
  const begun = performance.now();
  const value = await work();
  return { begun, ended: performance.now(), value };
};

const change = (names: readonly string[], grants: boolean): Promise<unknown> => {
  const { capture: writes } = openIkg(tenant);
  const relationships = names.map(owning);
  return grants ? writes.relationships(relationships) : writes.deleteRelationships(relationships);
};
const ask = async (door: string): Promise<boolean> =>
  (
    await evaluate(
      {
        subject: { type: "Person", id: "ann" },
        action: { name: "OPEN" },
        resource: { type: "Door", id: door },
      },
      tenant,
    )
  ).decision;

/** What a question may have seen: the last change that ended before it, and every change that ran beside it. */
const possible = (changes: readonly Change[], { begun, ended }: Call): ReadonlySet<boolean> => {
  let before = false;
  const seen = new Set<boolean>();
  for (const each of changes) {
    if (each.ended <= begun) before = each.grants;
    else if (each.begun < ended) seen.add(each.grants);
  }
  return seen.add(before);
};

it(
  "sees every acknowledged write at once, and no grant comes back that was revoked",
  async () => {
    const until = performance.now() + durationMs;
    const changes = new Map<string, Change[]>(doors.map((door) => [door, []]));
    const questions = new Map<string, Question[]>(doors.map((door) => [door, []]));
    const question = async (door: string): Promise<void> => {
      const { value: granted, ...call } = await timed(() => ask(door));
      questions.get(door)?.push({ ...call, granted });
    };
    const writer = async (name: number): Promise<void> => {
      const mine = doors.slice(name * doorsEach, (name + 1) * doorsEach);
      for (let grants = true; performance.now() < until; grants = !grants) {
        const { begun, ended } = await timed(() =>
          change(
            mine.toSorted(() => Math.random() - 0.5),
            grants,
          ),
        );
        for (const door of mine) changes.get(door)?.push({ begun, ended, grants });
        // Its own write, at once.
        for (const door of mine) await question(door);
      }
    };
    const reader = async (): Promise<void> => {
      while (performance.now() < until) await question(doors[Math.floor(Math.random() * doors.length)] ?? "");
    };
    await Promise.all([
      ...Array.from({ length: writers }, (_, i) => writer(i)),
      ...Array.from({ length: readers }, reader),
    ]);
    const stale = doors.flatMap((door) =>
      (questions.get(door) ?? [])
        .filter((each) => !possible(changes.get(door) ?? [], each).has(each.granted))
        .map((each) => ({ door, ...each })),
    );
    expect(stale).toEqual([]);
    const decisions = [...questions.values()].flat();
    expect(decisions.length).toBeGreaterThan(100);
    // Both outcomes were seen, or nothing was tested.
    expect(new Set(decisions.map(({ granted }) => granted)).size).toBe(2);
  },
  durationMs + 60_000,
);
