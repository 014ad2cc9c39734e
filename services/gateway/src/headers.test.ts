import { describe, expect, it } from "@jest/globals";
import type { Operation } from "@ikg/contracts";
import { answerHeaders, publicRequestHeaders, requestHeaders } from "./headers.ts";

type Forwarded = Readonly<Record<string, readonly string[]>>;

const recordOf = (list: readonly string[]): Forwarded => {
  const record: Record<string, string[]> = {};
  for (let at = 0; at < list.length; at += 2)
    (record[(list[at] ?? "").toLowerCase()] ??= []).push(list[at + 1] ?? "");
  return record;
};

const gateway = { requestId: "id 1", traceparent: undefined };
const byKey: Pick<Operation, "access"> = {
  access: { credential: "client_key", permission: "Authorization" },
};
const byAccount: Pick<Operation, "access"> = { access: { credential: "administrator", roles: [] } };

/** A request as Node shows it: by name the first of several, and all of them in `rawHeaders`. */
const requestWith = (...headers: readonly (readonly [name: string, value: string])[]) => {
  const listed: Record<string, string> = {};
  for (const [name, value] of headers) listed[name.toLowerCase()] ??= value;
  return { headers: listed, rawHeaders: headers.flat() };
};

const internalContext = ["x-internal-call", "signed"];

const sent = (name: string, value = "a", operation = byKey): readonly string[] | undefined =>
  recordOf(requestHeaders(requestWith([name, value]), operation, internalContext, gateway))[
    name.toLowerCase()
  ];
const sentToPublicPath = (name: string): readonly string[] | undefined =>
  recordOf(publicRequestHeaders(requestWith([name, "a"]), [], gateway))[name.toLowerCase()];
const answered = (name: string): readonly string[] | undefined =>
  recordOf(answerHeaders({ [name.toLowerCase()]: "a" }, "id 1"))[name.toLowerCase()];

const passes = ["a"];
const dropped = undefined;

/** What becomes of a header of a request, and of one of an answer. */
const table: readonly (readonly [
  name: string,
  request: typeof passes | undefined,
  answer: typeof passes | undefined,
])[] = [
  ["Accept", passes, passes],
  ["Content-Type", passes, passes],
  ["Content-Length", passes, passes],
  ["ETag", passes, passes],
  ["Cookie", passes, passes],
  ["Traceparent", passes, passes],
  ["X-Explain", passes, passes],
  ["X-Consistency-Token", passes, passes],
  ["X-SVC-ClientKey", dropped, passes],
  ["X-IK-ClientKey", dropped, passes],
  ["Forwarded", dropped, passes],
  ["X-Forwarded-For", dropped, passes],
  ["X-Forwarded-Proto", dropped, passes],
  ["X-Forwarded-Host", dropped, passes],
  ["X-Forwarded-Prefix", dropped, passes],
  ["X-Real-IP", dropped, passes],
  ["Keep-Alive", dropped, dropped],
  ["Proxy-Connection", dropped, dropped],
  ["Proxy-Authenticate", dropped, dropped],
  ["Proxy-Authorization", dropped, dropped],
  ["TE", dropped, dropped],
  ["Trailer", dropped, dropped],
  ["Upgrade", dropped, dropped],
  ["Expect", dropped, dropped],
  ["Transfer-Encoding", dropped, dropped],
  ["X-Internal-Anything", dropped, dropped],
];

describe("headers", () => {
  it.each(table)("%s: to a service %j, to the caller %j", (name, request, answer) => {
    expect(sent(name)).toEqual(request);
    expect(sentToPublicPath(name)).toEqual(request);
    expect(answered(name)).toEqual(answer);
  });

  it("that Connection names pass in neither direction, nor does Connection itself", () => {
    const headers = { connection: "close, X-Own", "x-own": "a", "x-other": "b" };
    const request = { headers, rawHeaders: [] };
    for (const list of [
      requestHeaders(request, byKey, internalContext, gateway),
      publicRequestHeaders(request, [], gateway),
      answerHeaders(headers, "id 1"),
    ]) {
      expect(recordOf(list)).toMatchObject({ "x-other": ["b"] });
      expect(recordOf(list)).not.toHaveProperty("x-own");
      expect(recordOf(list)).not.toHaveProperty("connection");
    }
  });

  it("that frame a message or name its host pass although Connection names them", () => {
    const headers = { connection: "Content-Length, host", "content-length": "5", host: "ikg.test" };
    const request = { headers, rawHeaders: [] };
    for (const list of [
      requestHeaders(request, byKey, internalContext, gateway),
      publicRequestHeaders(request, [], gateway),
      answerHeaders(headers, "id 1"),
    ])
      expect(recordOf(list)).toMatchObject({ "content-length": ["5"], host: ["ikg.test"] });
  });

  it("that the gateway adds reach the service although Connection names them", () => {
    const named = "x-internal-call, x-request-id, traceparent, authorization";
    const request = requestWith(["Connection", named], ["Authorization", "Bearer one"]);
    const traced = { ...gateway, traceparent: "of the gateway" };
    const added = {
      "x-internal-call": ["signed"],
      "x-request-id": ["id 1"],
      traceparent: ["of the gateway"],
    };
    expect(recordOf(requestHeaders(request, byKey, internalContext, traced))).toEqual(added);
    expect(recordOf(publicRequestHeaders(request, internalContext, traced))).toEqual({
      ...added,
      authorization: ["Bearer one"],
    });
  });

  it("state the gateway's own request id and internal context in place of the caller's", () => {
    const request = requestWith(["X-Request-ID", "forged"], ["X-Internal-Call", "forged"]);
    expect(recordOf(requestHeaders(request, byKey, internalContext, gateway))).toEqual({
      "x-internal-call": ["signed"],
      "x-request-id": ["id 1"],
    });
    expect(recordOf(publicRequestHeaders(request, internalContext, gateway))).toEqual({
      "x-internal-call": ["signed"],
      "x-request-id": ["id 1"],
    });
    expect(recordOf(answerHeaders({ "x-request-id": "other" }, "id 1"))).toEqual({
      "x-request-id": ["id 1"],
    });
  });

  it("state the gateway's trace in place of the caller's, where it traces", () => {
    const request = requestWith(["Traceparent", "theirs"]);
    const traced = { ...gateway, traceparent: "ours" };
    expect(recordOf(requestHeaders(request, byKey, internalContext, traced))["traceparent"]).toEqual([
      "ours",
    ]);
    expect(recordOf(publicRequestHeaders(request, [], traced))["traceparent"]).toEqual(["ours"]);
  });

  it("hold several values of one name", () => {
    expect(recordOf(answerHeaders({ "set-cookie": ["a=1", "b=2"] }, "id 1"))["set-cookie"]).toEqual([
      "a=1",
      "b=2",
    ]);
  });
});

describe("Authorization", () => {
  it("reaches a service as an end user's bearer alone", () => {
    expect(sent("Authorization", "Bearer user.token")).toEqual(["Bearer user.token"]);
    expect(sent("Authorization", "Bearer ak1_key_secret")).toBeUndefined();
    expect(sent("Authorization", "Bearer account", byAccount)).toBeUndefined();
  });

  it("reaches the service of a public path as often as it was sent, so that the service can refuse two", () => {
    const request = requestWith(["Authorization", "Bearer one"], ["authorization", "Bearer two"]);
    expect(recordOf(publicRequestHeaders(request, [], gateway))["authorization"]).toEqual([
      "Bearer one",
      "Bearer two",
    ]);
  });
});
