import { describe, expect, it } from "@jest/globals";
import { claimsObject, recordedInputs } from "./recorded-inputs.ts";

const sha = `sha256:${"0".repeat(64)}`;
const none = new Set<string>();
const question = (fields: object) => ({
  subject: undefined,
  resource: undefined,
  action: undefined,
  input_params: undefined,
  inputs: undefined,
  omitted: undefined,
  tried: undefined,
  decision: true,
  ...fields,
});
const parameter = (name: string) => ({ kind: "parameter", name, path: [] }) as const;
const request = (...path: string[]) => ({ kind: "request", path }) as const;
const token = (...path: string[]) => ({ kind: "token", path }) as const;

describe("claims of a record", () => {
  it("are an object again", () => {
    expect(claimsObject({ plan: "gold", "act.sub": "bot", "act.roles": ["a"], none: null })).toEqual({
      plan: "gold",
      act: { sub: "bot", roles: ["a"] },
      none: null,
    });
  });

  it("of a path below one that is recorded whole add nothing", () => {
    expect(claimsObject({ "act.sub": "bot", act: { sub: "bot", iss: "i" } })).toEqual({
      act: { sub: "bot", iss: "i" },
    });
    expect(claimsObject({ act: "text", "act.sub": null })).toEqual({ act: "text" });
  });

  it("have names as the token has them", () => {
    expect(claimsObject({ "https://a%2Eexample/plan%23%25": 1 })).toEqual({ "https://a.example/plan#%": 1 });
    const hostile = claimsObject({ "__proto__.polluted": 1, ["constructor"]: 2 });
    expect(Object.keys(hostile)).toEqual(["constructor", "__proto__"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("gaps of a record", () => {
  it("are hashes, cut and omitted fields, each by the value that is read", () => {
    const hashed = recordedInputs(question({ input_params: { a: sha, b: "b" } }), undefined, none);
    expect(hashed.gapOf(parameter("a"))).toEqual({ reason: "inputs_hashed", missing: ["$a"] });
    expect(hashed.gapOf(parameter("b"))).toBeUndefined();
    expect(hashed.gapOf(parameter("not-sent"))).toBeUndefined();
    expect(hashed.inputParams).toEqual({ b: "b" });
    const cut = new Set(["/data/input_params/a~1b~0", "/data/inputs"]);
    const shortened = recordedInputs(question({ input_params: { "a/b~": "x", c: 1 } }), { sub: "s" }, cut);
    expect(shortened.gapOf(parameter("a/b~"))?.reason).toBe("inputs_cut");
    expect(shortened.gapOf(parameter("c"))).toBeUndefined();
    for (const each of [request("subject", "properties", "x"), request("context", "y"), token("plan")])
      expect(shortened.gapOf(each)?.reason).toBe("inputs_cut");
    const omitted = recordedInputs(question({ omitted: ["input_params"] }), undefined, none);
    expect(omitted.gapOf(parameter("a"))?.reason).toBe("inputs_omitted");
    expect(omitted.gapOf(request("context", "y"))).toBeUndefined();
    expect(omitted.gapOf(request("context", "input_params", "a"))?.reason).toBe("inputs_omitted");
  });

  it("of the parameters as a whole are those of any of them", () => {
    const some = recordedInputs(question({ input_params: { a: sha, b: 1 } }), undefined, none);
    expect(some.gapOf(request("context", "input_params"))?.reason).toBe("inputs_hashed");
    const all = recordedInputs(question({ input_params: { b: 1 } }), undefined, none);
    expect(all.gapOf(request("context", "input_params"))).toBeUndefined();
  });

  it("are claims that were not recorded, if a subject was signed in", () => {
    const recorded = { inputs: { token: { "act.sub": "bot", plan: null } } };
    const signedIn = recordedInputs(question(recorded), { sub: "ann" }, none);
    expect(signedIn.gapOf(token("plan"))).toBeUndefined();
    expect(signedIn.gapOf(token("act", "sub"))).toBeUndefined();
    expect(signedIn.gapOf(token("act", "sub", "deeper"))).toBeUndefined();
    for (const path of [["act"], ["level"]])
      expect(signedIn.gapOf(token(...path))?.reason).toBe("claims_not_recorded");
    expect(recordedInputs(question({}), undefined, none).gapOf(token("plan"))).toBeUndefined();
    const cutSubject = recordedInputs(question({}), { sub: "a…" }, new Set(["/on_behalf_of/sub"]));
    expect(cutSubject.tokenGap?.reason).toBe("inputs_cut");
  });
});
