import { describe, expect, it } from "@jest/globals";
import { defaultBounds } from "@ikg/audit";
import { redisConfiguration } from "../stores/redis.ts";
import { textInRepository } from "../repository.ts";

/** What Redis takes for a byte that is counted; libs/audit/test/emit.test.ts measures it. */
const overhead = 1.33;
const units: Readonly<Record<string, number>> = { kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 };

const maxMemoryOf = (configuration: string): number => {
  const [, value = "", unit = ""] =
    /^\s*maxmemory (?:\$\{REDIS_MAXMEMORY:-)?(\d+)(\w+)\}?$/m.exec(configuration) ?? [];
  return Number(value) * (units[unit] ?? Number.NaN);
};

const deployments = {
  "npm start": redisConfiguration("/data", 6379, "secret"),
  "docker-compose.yml": textInRepository("docker-compose.yml"),
  "k8s/overlays/local": textInRepository("k8s/overlays/local/stores.yaml"),
};

describe("the memory of Redis", () => {
  it.each(Object.entries(deployments))("holds every audit record that may wait twice (%s)", (_, text) => {
    expect(text).toMatch(/^\s*maxmemory-policy noeviction$/m);
    expect(maxMemoryOf(text)).toBeGreaterThan(2 * overhead * defaultBounds.total);
    // No deployment lets more wait than the default.
    expect(text).not.toMatch(/AUDIT_WAITING_BYTES: *\S/);
  });

  it("is less than the limit of its container in Kubernetes", () => {
    const text = deployments["k8s/overlays/local"];
    const redis = text.slice(text.indexOf("name: redis"));
    const [, limit = ""] = /limits: \{ memory: (\d+)Mi \}/.exec(redis) ?? [];
    expect(Number(limit) * 2 ** 20).toBeGreaterThanOrEqual(1.5 * maxMemoryOf(redis));
  });
});
