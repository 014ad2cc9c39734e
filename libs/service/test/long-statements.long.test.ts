import { describe, expect, it } from "@jest/globals";
import { exchanged, useProcesses } from "./long-statement-processes.ts";
import { tenantOf as of } from "./tenant-of.ts";

const openProcess = useProcesses(13);

describe("long statements of several processes", () => {
  it("of an organization itself, which has its id, are not those of its projects", async () => {
    const [audit, ciq] = [await openProcess(), await openProcess()];
    ciq.statements.spent(of("both", "both"), 1);
    await exchanged();
    audit.statements.spent(of("both", "both"), 1);
    await exchanged();
    audit.news.length = 0;
    ciq.statements.spent(of("one", "both"), 300);
    await exchanged();
    audit.statements.spent(of("both", "both"), 1);
    await exchanged();
    expect(audit.news).toEqual([
      { kind: "project", id: "both", ms: 0, isContended: false },
      { kind: "organization", id: "both", ms: 300, isContended: false },
    ]);
  });

  it("ignore sums that were forgotten meanwhile", async () => {
    const [access, ciq] = [await openProcess(), await openProcess()];
    ciq.statements.spent(of("a"), 5_000);
    access.statements.spent(of("a"), 1);
    await exchanged();
    await access.redis.flushdb();
    access.statements.spent(of("a"), 1);
    await exchanged();
    expect(access.news.at(-1)?.ms).toBe(0);
  });

  it("say nothing while Redis is out of reach", async () => {
    const { redis, statements, news } = await openProcess();
    redis.disconnect();
    statements.spent(of("a"), 100);
    await exchanged();
    expect(news).toEqual([]);
  });
});
