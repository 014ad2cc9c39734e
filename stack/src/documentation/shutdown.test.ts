/** What stops a service waits for longer than the service takes; otherwise it is killed at its work. */
import { globSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { settingRows } from "@ikg/service";
import { parse } from "yaml";
import type { ServiceName } from "../services/service-names.ts";
import { serviceSettings } from "../services/service-settings.ts";
import { stopTimes } from "../services/services.ts";
import { repository, textInRepository } from "../repository.ts";

const names = Object.keys(serviceSettings) as ServiceName[]; // its keys

const times = ["DRAIN_DELAY_MS", "DRAIN_SECONDS", "CLOSE_SECONDS"] as const;

/** For a process to end after everything is closed, on a busy machine. */
const endMs = 750;

/** `${NAME:-default}` is its value where none is set. */
const plain = (value: unknown): string => String(value).replace(/^\$\{\w+:-(.*)\}$/, "$1");

/** How long a service takes to stop at most, where its deployment sets these variables. */
const stopMs = (name: ServiceName, variables: Readonly<Record<string, unknown>>): number => {
  const rows = new Map(settingRows(serviceSettings[name]).map((row) => [row.name, row.default]));
  // One that compose only hands on has no value here.
  const [delay = NaN, drain = NaN, close = NaN] = times.map((time) =>
    Number(variables[time] == null ? rows.get(time) : plain(variables[time])),
  );
  return delay + (drain + close) * 1_000 + endMs;
};

const seconds = (text: unknown): number => Number(/^(\d+)s$/.exec(plain(text))?.[1] ?? NaN);

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly stop_grace_period?: string; readonly environment?: Record<string, unknown> }>
  >;
}

interface Deployment {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly {
          readonly env: readonly { readonly name: string; readonly value?: string }[];
          readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
        }[];
      };
    };
  };
}

describe("a service has the time that it takes to stop", () => {
  const compose = parse(textInRepository("docker-compose.yml"), { merge: true }) as Compose; // a file of this repository
  const deployment = parse(textInRepository("k8s/base/patches/deployment.yaml")) as Deployment; // as above

  it("knows every service", () => {
    const folders = globSync("services/*/src/settings.ts", { cwd: repository }).map(
      (path) => path.split("/")[1],
    );
    expect(new Set(names)).toEqual(new Set(folders));
  });

  it.each(names)("in compose: %s", (name) => {
    const { stop_grace_period: grace, environment = {} } = compose.services[name] ?? {};
    expect(seconds(grace) * 1_000).toBeGreaterThanOrEqual(stopMs(name, environment));
  });

  it.each(names)("in Kubernetes: %s", (name) => {
    const { terminationGracePeriodSeconds, containers } = deployment.spec.template.spec;
    const [container] = containers;
    if (container === undefined) throw new Error("no container");
    const variables = Object.fromEntries(container.env.map((each) => [each.name, each.value]));
    const before = container.lifecycle.preStop.sleep.seconds * 1_000;
    expect(terminationGracePeriodSeconds * 1_000).toBeGreaterThanOrEqual(before + stopMs(name, variables));
  });

  it("says so in one place of Kubernetes", () => {
    const shutdownSetting = /terminationGracePeriodSeconds|preStop|DRAIN_|CLOSE_SECONDS/;
    const files = globSync("k8s/**/*.yaml", { cwd: repository }).filter((path) =>
      shutdownSetting.test(textInRepository(path)),
    );
    // Stores close in a time of their own.
    expect(files.sort()).toEqual(["k8s/base/patches/deployment.yaml", "k8s/overlays/local/stores.yaml"]);
    expect(textInRepository("k8s/overlays/local/stores.yaml")).not.toMatch(/DRAIN_|CLOSE_SECONDS/);
  });

  it.each(["serve", "test", "test-long", "measure"] as const)("as processes, to %s", (purpose) => {
    const { variables, graceMs } = stopTimes(purpose);
    for (const name of names) expect(graceMs).toBeGreaterThanOrEqual(stopMs(name, variables));
  });
});
