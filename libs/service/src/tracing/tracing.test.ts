import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { wantsTraces } from "./open-tracing.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };

describe("traces", () => {
  it.each([
    [{}, false],
    [endpoint, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:4318/v1/traces" }, true],
    [{ ...endpoint, OTEL_SDK_DISABLED: "true" }, false],
    [{ ...endpoint, OTEL_TRACES_EXPORTER: "none" }, false],
  ])("are wanted by the standard variables %j: %s", (env, wanted) => {
    expect(wantsTraces(env)).toBe(wanted);
  });

  it("load OpenTelemetry, but for its API, which prom-client brings, only where they are wanted", () => {
    const program = `
      import { registerHooks } from "node:module";
      const names = [];
      registerHooks({ resolve: (name, context, next) => (names.push(name), next(name, context)) });
      const isLoaded = () => names.some((name) => /^@opentelemetry\\/(?!api$)/.test(name));
      const { openTracing } = await import(${JSON.stringify(new URL("open-tracing.ts", import.meta.url).href)});
      await import(${JSON.stringify(new URL("../process/service.ts", import.meta.url).href)});
      await openTracing("access");
      console.log(isLoaded());
      Object.assign(process.env, ${JSON.stringify(endpoint)});
      await openTracing("access");
      console.log(isLoaded());`;
    const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: fileURLToPath(new URL(".", import.meta.url)),
      env: { PATH: process.env["PATH"] },
      encoding: "utf8",
    });
    expect(output.trim().split("\n")).toEqual(["false", "true"]);
  });
});
