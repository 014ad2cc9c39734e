/** The page of caches, compared with the sources: a map with a bound, a weak map, or a map of a module. */
import { globSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { repository, textInRepository } from "../repository.ts";

const cache = /new (?:LRUCache|WeakMap)\b|^const \w+(?:: [^=]*)? = new Map\b[^\n(]*\(\);/m;
/** What a file that the page names has at least: one of these, a value in Redis, or one in a variable or a field. */
const anyMemory = /new (?:LRUCache|WeakMap|Map)\b|\bredis\.set\b|\blet (?:kept|cached)\b|^ {2}#readAt\b/m;

/** Files whose maps hold what would otherwise be lost, and not what could be read or computed again. */
const notCaches: Readonly<Record<string, string>> = {
  "libs/auth/src/credentials.ts": "limits and expiry of callers, for as long as the caches hold them",
  "libs/concurrency/src/refusal-pace.ts": "counts refusals",
  "libs/auth/src/last-use.ts": "which days are written",
  "libs/graph/src/connections/unsolicited-bytes.ts": "sockets whose answers a statement follows",
  "libs/service/src/audit/repeated-refusals.ts": "counts refusals until their record",
  "libs/service/src/http/connections.ts": "addresses of open connections",
  "libs/service/src/limits/project-rate.ts": "token buckets",
  "libs/service/src/http/request-context.ts": "contexts of running requests",
  "services/access/src/routes/decision-note.ts": "contexts that entries of one batch share",
  "services/gateway/src/turns/request-turns.ts": "requests under way and waiting",
  "services/gateway/src/account-tokens.ts": "which tokens were reported",
  "services/gateway/src/upstream/keep-alive-agent.ts": "ages of connections",
  "services/gateway/src/upstream/streaming-transport.ts": "running requests",
  "services/mcp/src/sessions/sessions.ts": "projects whose sessions are counted",
};

const found = globSync("{libs,services}/*/src/**/*.ts", { cwd: repository })
  .filter(
    (path) =>
      !path.includes("node_modules") && !path.endsWith(".test.ts") && cache.test(textInRepository(path)),
  )
  .toSorted();
const named = new Set(
  [...textInRepository("docs/caching.md").matchAll(/`((?:libs|services)\/[\w./-]+\.ts)`/g)].map(
    ([, path = ""]) => path,
  ),
);

describe("the page of caches", () => {
  it("has a row for every cache of the sources", () => {
    expect(found.length).toBeGreaterThan(20);
    expect(found.filter((path) => !named.has(path) && !(path in notCaches))).toEqual([]);
  });

  it("leaves out what is none, and only that", () => {
    expect(Object.keys(notCaches).filter((path) => named.has(path) || !found.includes(path))).toEqual([]);
  });

  it("names the files that hold the caches", () => {
    expect([...named].filter((path) => !anyMemory.test(textInRepository(path)))).toEqual([]);
  });
});
