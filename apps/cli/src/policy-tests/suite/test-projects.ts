import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { expectSuccess, type Suite } from "./suite.ts";

/** Leftover projects of aborted runs are removed after this time. */
const leftoverMs = 10 * 60_000;

const readable = (read: () => string): string => {
  try {
    return read();
  } catch {
    return "";
  }
};

/** Identifies the machine and its container, because process ids can only be checked there. */
const machine = createHash("sha256")
  .update(
    [
      hostname(),
      readable(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
      readable(() => readlinkSync("/proc/self/ns/pid")),
    ].join("\n"),
  )
  .digest("hex")
  .slice(0, 12);

const namePattern = /^ikg-test-([0-9a-f]{12})-(\d+)-[0-9a-f]{12}$/;

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that another user runs the process.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

interface TestProject {
  readonly id: string;
  readonly name: string;
  readonly purpose?: string;
  readonly update_time: string;
}

/** Whether a project is a leftover of a killed run: immediately for this machine, otherwise after a time without updates. */
export const isLeftover = (
  { name, purpose, update_time }: Omit<TestProject, "id">,
  now: number,
  runs: (pid: number) => boolean = isRunning,
): boolean => {
  const [, where, pid] = namePattern.exec(name) ?? [];
  if (purpose !== "TEST" || pid === undefined) return false;
  if (where === machine && !runs(Number(pid))) return true;
  return where !== machine && now - Date.parse(update_time) > leftoverMs;
};

/** The projects of one run. */
export interface TestProjects {
  create(displayName: string): Promise<string>;
  remove(id: string): Promise<void>;
  /** Removes leftover projects of killed runs. */
  removeLeftovers(): Promise<number>;
  /** Marks the projects of this run as still in use. */
  touch(): Promise<void>;
  removeAll(): Promise<void>;
}

export const openTestProjects = async (suite: Suite, given: string | undefined): Promise<TestProjects> => {
  const organization =
    given ??
    String(expectSuccess("the organization", await suite.configs("GET", "/organizations/current"))["id"]);
  const open = new Map<string, string>();
  const path = (id: string): string => `/projects/${encodeURIComponent(id)}`;
  const remove = async (id: string): Promise<void> => {
    const answer = await suite.configs("DELETE", path(id));
    open.delete(id);
    if (answer.status !== 404) expectSuccess("the project of a test", answer);
  };
  return {
    create: async (displayName) => {
      const name = `ikg-test-${machine}-${process.pid}-${randomBytes(6).toString("hex")}`;
      const body = { organization_id: organization, name, display_name: displayName, purpose: "TEST" };
      const id = String(
        expectSuccess("a project for tests", await suite.configs("POST", "/projects", body))["id"],
      );
      open.set(id, displayName);
      return id;
    },
    remove,
    removeLeftovers: async () => {
      const query = new URLSearchParams({ organization_id: organization }).toString();
      const answer = expectSuccess("the projects", await suite.configs("GET", `/projects?${query}`));
      const leftovers = (answer["data"] as readonly TestProject[]).filter((each) =>
        isLeftover(each, Date.now()),
      ); // the list envelope
      await Promise.all(leftovers.map(({ id }) => remove(id)));
      return leftovers.length;
    },
    touch: async () => {
      for (const [id, display_name] of open) await suite.configs("PUT", path(id), { display_name });
    },
    removeAll: async () => {
      await Promise.all([...open.keys()].map(remove));
    },
  };
};
