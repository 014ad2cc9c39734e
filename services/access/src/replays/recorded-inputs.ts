import { type AuthorizationRecord, isJsonObject, type RecordedQuestion, type Unknown } from "@ikg/contracts";
import type { Reference } from "@ikg/policy-core";

type Json = Readonly<Record<string, unknown>>;

/** What a record says of the inputs of one decision, and where it says less than there was. */
export interface RecordedInputs {
  /** As far as they are known. */
  readonly inputParams: Json | undefined;
  readonly inputs: Json;
  /** Claims of the token by their paths; undefined when none was sent. */
  readonly claims: Json | undefined;
  /** Whose token was sent. */
  readonly tokenSubject: string | undefined;
  /** What is not known of a value that a policy reads; undefined where the value is known, or was not sent. */
  gapOf(reference: Reference): Unknown | undefined;
  /** What is not known of the context, whose tags choose the policies. */
  readonly contextGap: Unknown | undefined;
  /** What is not known of the subject of the token. */
  readonly tokenGap: Unknown | undefined;
}

type Gap = Unknown["reason"];

const hash = /^sha256:[0-9a-f]{64}$/;

/** Longest name in a JSON Pointer of `cut`; longer ones are shortened. */
const maxNameInPointer = 64;

const pointerName = (name: string): string =>
  name.slice(0, maxNameInPointer).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");

/** Tells of each member of a map why its value is not known. */
const gapsIn = (
  name: "input_params" | "inputs",
  { omitted, [name]: map }: RecordedQuestion,
  cut: ReadonlySet<string>,
): ((member: string) => Gap | undefined) => {
  const field = `/data/${name}`;
  return (member) => {
    if (omitted?.includes(name)) return "inputs_omitted";
    if (cut.has(field) || cut.has(`${field}/${pointerName(member)}`)) return "inputs_cut";
    const value = map !== undefined && Object.hasOwn(map, member) ? map[member] : undefined;
    return typeof value === "string" && hash.test(value) ? "inputs_hashed" : undefined;
  };
};

const unknown = (reason: Gap | undefined, name: string): Unknown | undefined =>
  reason && { reason, missing: [name] };

/** Names as the keys of recorded claims have them. */
const pathOf = (key: string): readonly string[] =>
  key.split(".").map((name) => name.replaceAll("%23", "#").replaceAll("%2E", ".").replaceAll("%25", "%"));

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.length <= path.length && start.every((name, index) => path[index] === name);

/** The claims as an object: a path below one that is recorded whole adds nothing. */
export const claimsObject = (claims: Json): Json => {
  const root: Record<string, unknown> = {};
  const paths = Object.entries(claims)
    .map(([key, value]) => ({ path: pathOf(key), value }))
    .toSorted((a, b) => a.path.length - b.path.length);
  const done: (readonly string[])[] = [];
  for (const { path, value } of paths) {
    if (done.some((whole) => startsWith(path, whole))) continue;
    done.push(path);
    let at = root;
    for (const name of path.slice(0, -1)) {
      const next = Object.hasOwn(at, name) ? at[name] : undefined;
      const member = isJsonObject(next) ? (next as Record<string, unknown>) : {}; // made here
      define(at, name, member);
      at = member;
    }
    define(at, path.at(-1) ?? "", value);
  }
  return root;
};

/** Sets a member whatever its name is, `__proto__` included. */
const define = (object: Record<string, unknown>, name: string, value: unknown): void =>
  void Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });

/**
 * Reads back what a decision was made from besides the graph.
 *
 * @param cut JSON Pointers of the fields of which the record says less than there was.
 */
export const recordedInputs = (
  question: RecordedQuestion,
  user: AuthorizationRecord["on_behalf_of"],
  cut: ReadonlySet<string>,
): RecordedInputs => {
  const parameterGap = gapsIn("input_params", question, cut);
  const inputGap = gapsIn("inputs", question, cut);
  const inputs = question.inputs ?? {};
  const recorded = inputs["token"];
  const claims = user === undefined ? undefined : isJsonObject(recorded) ? recorded : {};
  const known = Object.keys(claims ?? {}).map(pathOf);

  const parameterGapOf = (name: string): Unknown | undefined => unknown(parameterGap(name), `$${name}`);
  const anyParameterGap = (): Unknown | undefined => {
    const names = Object.keys(question.input_params ?? {});
    const gap = ["", ...names].map((name) => parameterGap(name)).find((each) => each !== undefined);
    return unknown(gap, "$request.context.input_params");
  };
  const tokenGapOf = (path: readonly string[]): Unknown | undefined => {
    if (user === undefined) return undefined;
    const name = `$token.${path.join(".")}`;
    const gap = inputGap("token");
    if (gap !== undefined) return unknown(gap, name);
    return known.some((whole) => startsWith(path, whole)) ? undefined : unknown("claims_not_recorded", name);
  };
  const requestGapOf = ([first = "", second, third]: readonly string[]): Unknown | undefined => {
    if (first !== "context" || second !== "input_params")
      return unknown(inputGap(first), `$request.${first}`);
    return third === undefined ? anyParameterGap() : parameterGapOf(third);
  };
  const withoutGaps = (map: Json, gap: (member: string) => Gap | undefined): Json =>
    Object.fromEntries(Object.entries(map).filter(([name]) => gap(name) === undefined));
  return {
    inputParams: question.input_params && withoutGaps(question.input_params, parameterGap),
    inputs: withoutGaps(inputs, inputGap),
    claims,
    tokenSubject: user?.sub,
    contextGap: unknown(inputGap("context"), "$request.context"),
    tokenGap: cut.has("/on_behalf_of/sub") ? unknown("inputs_cut", "$token.sub") : undefined,
    gapOf: (reference) => {
      switch (reference.kind) {
        case "parameter":
          return parameterGapOf(reference.name);
        case "token":
          return tokenGapOf(reference.path);
        case "request":
          return requestGapOf(reference.path);
        case "application":
        case "platform":
        case "absent":
          return undefined;
      }
    },
  };
};
