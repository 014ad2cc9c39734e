import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { inRepository } from "../repository.ts";
import { passwordVariable, redisPasswordOf, redisUrlOf, redisUserLines } from "./redis-users.ts";
import { services } from "../services/service-names.ts";

/** The shell of a container puts the passwords in place of their variables. */
const file = [
  '# Users of Redis, one for each service: docs/operations.md, "Users of Redis". Written by npm run generate.',
  ...redisUserLines((name) => `$${passwordVariable(name)}`),
  "",
].join("\n");

describe("the users of Redis", () => {
  it.each(["deploy/redis/users.conf", "k8s/overlays/local/redis-users.conf"])("stand in %s", (path) => {
    const written = inRepository(path);
    if (process.env["UPDATE_DOCS"]) {
      mkdirSync(dirname(written), { recursive: true });
      writeFileSync(written, file);
    }
    expect(readFileSync(written, "utf8")).toBe(file);
  });

  it("have names and passwords of their own", () => {
    const passwords = services.map((name) => redisPasswordOf(name, "of operators"));
    expect(new Set([...passwords, "of operators"]).size).toBe(services.length + 1);
    expect(passwords.every((password) => /^[0-9a-f]{48}$/.test(password))).toBe(true);
    expect(redisUrlOf("access", "redis://:of@127.0.0.1:6379/3", "of")).toBe(
      `redis://access:${redisPasswordOf("access", "of")}@127.0.0.1:6379/3`,
    );
  });

  it("are not those of a Redis elsewhere", () => {
    expect(redisUrlOf("access", "redis://:other@cache:6379", "of")).toBe("redis://:other@cache:6379");
  });

  it("may do nothing to others, and no service may announce changes but configs and audit", () => {
    const lines = redisUserLines(() => "p");
    for (const line of lines) {
      expect(line).not.toMatch(/allkeys|allchannels|allcommands|nopass|\+@all|~\*|&\*/);
      expect(line).toMatch(/^user [a-z-]+ on >p resetchannels -@all /);
    }
    expect(lines.filter((line) => line.includes("+publish")).map((line) => line.split(" ")[1])).toEqual([
      "configs",
      "audit",
    ]);
    expect(lines.filter((line) => line.includes("+xdel")).map((line) => line.split(" ")[1])).toEqual([
      "audit",
    ]);
  });
});
