import { afterEach, describe, expect, it } from "@jest/globals";
import { context, createContextKey, propagation, ROOT_CONTEXT, type Context } from "@opentelemetry/api";
import { traceHeaders } from "./trace-headers.ts";

/** Applications register a context manager and a propagator; these do as little as is needed of them. */
const key = createContextKey("trace of the test");
let active: Context = ROOT_CONTEXT;

afterEach(() => {
  context.disable();
  propagation.disable();
});

const register = (): void => {
  context.setGlobalContextManager({
    active: () => active,
    with: (_context, work, self, ...args) => work.apply(self, args),
    bind: (_context, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
  propagation.setGlobalPropagator({
    inject: (of, carrier, setter) => {
      setter.set(carrier, "traceparent", String(of.getValue(key)));
      setter.set(carrier, "tracestate", "vendor=1");
      setter.set(carrier, "baggage", "user=ann");
    },
    extract: (of) => of,
    fields: () => [],
  });
};

describe("the headers of a trace", () => {
  it("are none where OpenTelemetry is not set up", () => {
    expect(traceHeaders()).toEqual({});
  });

  it("are those of the active context, without its baggage", () => {
    register();
    active = ROOT_CONTEXT.setValue(key, "00-1-2-01");
    expect(traceHeaders()).toEqual({ traceparent: "00-1-2-01", tracestate: "vendor=1" });
  });
});
