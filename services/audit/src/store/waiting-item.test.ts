import { describe, expect, it } from "@jest/globals";
import { organizationField, recordField } from "@ikg/audit";
import { itemOfEntry, itemOfOutbox, mergeByTime } from "./waiting-item.ts";

/** Two records as JSON; the name in the first one ends in a lone surrogate. */
const escaped = String.raw`{"time":"2026-01-01T00:00:00.000Z","actor":{"name":"ann\ud83d","\udc00":["\udc00"]},"id":"1"}`;
const whole = `{"id":"2","time":"2026-01-01T00:00:01.000Z"}`;
const written = `{"actor":{"name":"ann\uFFFD","\uFFFD":["\uFFFD"]},"id":"1","time":"2026-01-01T00:00:00.000Z"}`;

describe("a waiting item", () => {
  it("holds the canonical texts of its records, also of one with a lone surrogate", () => {
    expect(itemOfEntry(["1-0", [recordField, escaped, organizationField, "o"]])).toEqual({
      source: "stream",
      id: "1-0",
      organization: "o",
      events: [written],
      time: "2026-01-01T00:00:00.000Z",
    });
    expect(itemOfOutbox("k", "o", `[${escaped},${whole}]`).events).toEqual([written, whole]);
  });

  it("holds no record where there is none to be read", () => {
    for (const text of ["", "{", "[]", "1"])
      expect(itemOfEntry(["1-0", [recordField, text]])).toMatchObject({ events: [], time: "" });
    expect(itemOfOutbox("k", "o", "{}")).toMatchObject({ events: [], time: "" });
  });

  it("comes before later ones of the other source, and keeps its place among those of its own", () => {
    const items = (source: "stream" | "outbox", ...times: string[]) =>
      times.map((time) => ({ source, id: `${source} ${time}`, organization: "o", events: ["{}"], time }));
    const merged = mergeByTime(items("stream", "1", "5", "4"), items("outbox", "1", "3", "6"));
    const order = ["outbox 1", "stream 1", "outbox 3", "stream 5", "stream 4", "outbox 6"];
    expect(merged.map(({ id }) => id)).toEqual(order);
  });
});
