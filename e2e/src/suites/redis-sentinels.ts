import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../stack/src/ports.ts";
import type { TestProcess } from "../../../stack/src/testing/servers/test-process.ts";
import { startRedisProgram, type TestRedis } from "../../../stack/src/testing/servers/test-redis.ts";

/** Two servers, the second of which repeats what the first holds, and three Sentinels that watch them. */
export interface WatchedRedis extends TestRedis {
  /** The output of the Sentinels. */
  output(): string;
}

const master = "main";
const sentinels = 3;
/** A Sentinel considers a server down that is silent for this long. */
const downAfterMs = 1_000;

/** Starts them. `stop` kills the master of the beginning, and `start` starts it as a replica of the other one. */
export const startWatchedRedis = async (): Promise<WatchedRedis> => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-sentinels-"));
  const password = randomBytes(12).toString("hex");
  const [first, second] = [await freePort(), await freePort()];
  const server = (port: number, ...more: readonly string[]): Promise<TestProcess> =>
    startRedisProgram(port, [
      ...["--save", "", "--dir", folder, "--requirepass", password, "--masterauth", password],
      ...["--repl-diskless-sync-delay", "0", ...more],
    ]);
  const servers = [await server(first), await server(second, "--replicaof", "127.0.0.1", String(first))];
  const ports: number[] = [];
  const watchers: TestProcess[] = [];
  for (let number = 0; number < sentinels; number++) {
    const port = await freePort();
    const file = join(folder, `sentinel-${number}.conf`);
    const lines = [
      `sentinel monitor ${master} 127.0.0.1 ${first} 2`,
      `sentinel auth-pass ${master} ${password}`,
      `sentinel down-after-milliseconds ${master} ${downAfterMs}`,
      `sentinel failover-timeout ${master} 10000`,
    ];
    writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
    watchers.push(await startRedisProgram(port, [file, "--sentinel"]));
    ports.push(port);
  }
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(",");
  return {
    url: `redis+sentinel://:${password}@${hosts}/${master}`,
    output: () => watchers.map((each) => each.output()).join(""),
    start: async () => {
      servers.push(await server(first, "--replicaof", "127.0.0.1", String(second)));
    },
    stop: async () => {
      const [gone, ...rest] = servers.splice(0);
      await gone?.end("SIGKILL");
      servers.push(...rest);
    },
    close: async () => {
      await Promise.all([...servers, ...watchers].map((each) => each.end("SIGKILL")));
      rmSync(folder, { recursive: true });
    },
  };
};
