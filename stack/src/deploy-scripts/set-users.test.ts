import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { inRepository } from "../repository.ts";
import { passwordVariable } from "../stores/redis-users.ts";
import { type ServiceName, services } from "../services/service-names.ts";

const folder = mkdtempSync(join(tmpdir(), "ikg-users-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** @param form of a line; `NAME` and `VALUE` are replaced */
const write = (file: string, passwordOf: (service: ServiceName) => string, form = "NAME=VALUE"): void => {
  const lines = services.map(
    (service) => `${form.replace("NAME", passwordVariable(service)).replace("VALUE", passwordOf(service))}\n`,
  );
  // Nothing of the file is run by a shell.
  writeFileSync(join(folder, file), `OIDC_SCOPES=openid profile & more\n${lines.join("")}`);
};

const script = inRepository("deploy", "redis", "set-users.sh");
const setUsers = (variables: Readonly<Record<string, string>>, command = 'sh "$1"') => {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command, "sh", script], {
    encoding: "utf8",
    cwd: folder,
    env: { PATH: process.env["PATH"], ...variables },
  });
  const commands = stdout.split("\n").filter((line) => line !== "");
  return { status, stderr, begins: commands.map((line) => line.split(" ").slice(0, 7).join(" ")).toSorted() };
};
const usersWith = (passwordOf: (service: ServiceName) => string) => ({
  status: 0,
  stderr: "",
  begins: services
    .map((service) => `ACL SETUSER ${service} clearselectors resetkeys on >${passwordOf(service)}`)
    .toSorted(),
});

describe("deploy/redis/set-users.sh", () => {
  it("takes passwords of the environment, else of .env", () => {
    const own = (service: ServiceName): string => `own-${service}`;
    const stored = (service: ServiceName): string => `stored-${service}`;
    const environment = Object.fromEntries(
      services.map((service) => [passwordVariable(service), own(service)]),
    );
    expect(setUsers(environment)).toEqual(usersWith(own));
    write(".env", stored);
    expect(setUsers(environment)).toEqual(usersWith(own));
    expect(setUsers({})).toEqual(usersWith(stored));
  });

  it.each(["export NAME=VALUE", "NAME='VALUE'", '  NAME = "VALUE" # a "comment"', "NAME= VALUE # comment"])(
    "reads lines of the form %s as docker compose does",
    (form) => {
      const stored = (service: ServiceName): string => `stored#${service}`;
      write("form.env", stored, form);
      expect(setUsers({ ENV_FILE: "form.env" })).toEqual(usersWith(stored));
    },
  );

  it("takes those of another file, and of standard input", () => {
    const other = (service: ServiceName): string => `other-${service}`;
    write("stores.env", other);
    expect(setUsers({ ENV_FILE: "stores.env" })).toEqual(usersWith(other));
    const piped = 'cat stores.env | ENV_FILE=/dev/stdin sh "$1"';
    expect(setUsers({}, piped)).toEqual(usersWith(other));
  });

  it("prints no command where a password is absent", () => {
    write("incomplete.env", (service) => (service === "audit" ? "" : service));
    expect(setUsers({ ENV_FILE: "incomplete.env" })).toEqual({
      status: 2,
      stderr: "set-users: REDIS_AUDIT_PASSWORD is neither in the environment nor in incomplete.env\n",
      begins: [],
    });
  });
});
