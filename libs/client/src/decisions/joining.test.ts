import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import { failureOf } from "../../test/failure-of.ts";
import {
  answer,
  type Behaviour,
  closeServers,
  hang,
  type Received,
  refuse,
  TestServer,
} from "../../test/server.ts";
import { missingParameterText } from "@ikg/policy-core";
import { IkgError } from "../errors/ikg-error.ts";
import { Ikg } from "../ikg.ts";

afterEach(closeServers);

interface Question {
  readonly subject: { readonly id: string };
  readonly resource: { readonly id: string };
}

const questionsOf = ({ json }: Received): readonly Question[] => {
  const { evaluations } = json as { evaluations?: Question[] };
  return evaluations ?? [json as Question];
};

const entryOf = ({ resource: { id } }: Question): object => {
  if (id.startsWith("wrong")) {
    const message = missingParameterText(id);
    return { decision: false, context: { reason: message, error: { status: 422, message } } };
  }
  if (id.startsWith("lost"))
    return {
      decision: false,
      context: { reason: "x", error: { status: 500, message: "Internal Server Error" } },
    };
  return { decision: id.startsWith("yes"), context: { reason: id } };
};

/** Answers every question by the id of its resource, as the services do. */
const decides: Behaviour = (response, request) => {
  const { json } = request;
  if (typeof json === "object" && json !== null && "evaluations" in json) {
    answer(200, { evaluations: questionsOf(request).map(entryOf) })(response, request);
    return;
  }
  const { resource } = json as Question;
  if (resource.id.startsWith("wrong"))
    answer(422, { message: "Unprocessable Entity", errors: [missingParameterText(resource.id)] })(
      response,
      request,
    );
  else
    answer(200, { decision: resource.id.startsWith("yes"), context: { reason: resource.id } })(
      response,
      request,
    );
};

const document = (id: string) => ({ type: "Document", id });
const clientOf = ({ baseUrl }: TestServer): Ikg => new Ikg({ baseUrl, clientKey: "k" });
const annOf = (ikg: Ikg, token?: string) => ikg.as({ type: "Person", id: "ann", token });

describe("decisions of the same turn", () => {
  it("go out as one request, also through promises", async () => {
    const server = await TestServer.start(decides);
    const ann = annOf(clientOf(server));
    const ids = Array.from({ length: 50 }, (_, at) => (at % 3 === 0 ? `yes${at}` : `no${at}`));
    const answers = await Promise.all(
      ids.map(async (id, at) => {
        for (let step = 0; step < at % 5; step++) await Promise.resolve();
        return ann.can("READ", document(id));
      }),
    );
    expect(answers).toEqual(ids.map((id) => id.startsWith("yes")));
    expect(server.received.map(({ path }) => path)).toEqual(["/access/v1/evaluations"]);
  });

  it("are a plain evaluation when there is one alone", async () => {
    const server = await TestServer.start(decides);
    const ann = annOf(clientOf(server));
    expect(await ann.can("READ", document("yes"), { params: { limit: 1 } })).toBe(true);
    expect(server.received[0]?.path).toBe("/access/v1/evaluation");
    expect(server.received[0]?.json).toEqual({
      subject: { type: "Person", id: "ann" },
      action: { name: "READ" },
      resource: { type: "Document", id: "yes" },
      context: { input_params: { limit: 1 } },
    });
  });

  it("are requests of at most 100", async () => {
    const server = await TestServer.start(decides);
    const ann = annOf(clientOf(server));
    await Promise.all(Array.from({ length: 250 }, (_, at) => ann.can("READ", document(`yes${at}`))));
    const sizes = server.received.map((each) => questionsOf(each).length);
    expect(sizes.toSorted((one, other) => other - one)).toEqual([100, 100, 50]);
  });

  it("stay below the size of a body", async () => {
    const server = await TestServer.start(decides);
    const ann = annOf(clientOf(server));
    const params = { text: "x".repeat(200_000) };
    await Promise.all(
      Array.from({ length: 5 }, (_, at) => ann.can("READ", document(`yes${at}`), { params })),
    );
    expect(server.received.map(({ text }) => text.length < 2 ** 20)).toEqual([true, true, true]);
  });

  it("are single requests where that is wanted", async () => {
    const server = await TestServer.start(decides);
    const ann = annOf(clientOf(server));
    await Promise.all([1, 2].map((at) => ann.can("READ", document(`yes${at}`), { join: false })));
    const apart = new Ikg({ baseUrl: server.baseUrl, clientKey: "k", join: false });
    await Promise.all([1, 2].map((at) => annOf(apart).can("READ", document(`yes${at}`))));
    expect(server.received.map(({ path }) => path)).toEqual(Array(4).fill("/access/v1/evaluation"));
  });

  it("fail for their own caller alone, with the same error as by themselves", async () => {
    const server = await TestServer.start(decides);
    const ann = annOf(clientOf(server));
    const [granted, wrong, denied] = await Promise.all([
      ann.can("READ", document("yes")),
      failureOf(ann.can("READ", document("wrong"))),
      ann.can("READ", document("no")),
    ]);
    const alone = await failureOf(ann.can("READ", document("wrong")));
    expect([granted, denied]).toEqual([true, false]);
    expect(wrong).toBeInstanceOf(IkgError);
    for (const field of ["code", "status", "errors"] as const) expect(wrong[field]).toEqual(alone[field]);
    expect(wrong.code).toBe("input_param_missing");
    expect(server.received).toHaveLength(2);
  });

  it("are asked again by themselves where an entry was not evaluated", async () => {
    const server = await TestServer.start(decides);
    const ann = annOf(clientOf(server));
    const decisions = await Promise.all(["yes", "lost"].map((id) => ann.decide("READ", document(id))));
    expect(decisions.map(({ context }) => context?.reason)).toEqual(["yes", "lost"]);
    expect(server.received.map(({ path }) => path)).toEqual([
      "/access/v1/evaluations",
      "/access/v1/evaluation",
    ]);
  });

  it("are asked again by themselves where the batch is refused for what it holds", async () => {
    const server = await TestServer.start(refuse(400, "Bad Request"), decides);
    const ann = annOf(clientOf(server));
    expect(await Promise.all(["yes", "no"].map((id) => ann.can("READ", document(id))))).toEqual([
      true,
      false,
    ]);
    expect(server.received).toHaveLength(3);
  });

  it("fail together where the credentials are refused", async () => {
    const server = await TestServer.start(refuse(401, "client key missing or not valid"));
    const ann = annOf(clientOf(server));
    const errors = await Promise.all(["a", "b"].map((id) => failureOf(ann.can("READ", document(id)))));
    expect(errors.map(({ code }) => code)).toEqual(["client_key_invalid", "client_key_invalid"]);
    expect(server.received).toHaveLength(1);
  });

  it("reject a question that JSON cannot express, and no other one", async () => {
    const server = await TestServer.start(decides);
    const ann = annOf(clientOf(server));
    const [wrong, right] = await Promise.all([
      failureOf(ann.can("READ", document("a"), { params: { big: 1n } })),
      ann.can("READ", document("yes")),
    ]);
    expect([wrong.name, right]).toEqual(["TypeError", true]);
  });
});

describe("a response that is not a decision", () => {
  for (const body of [{}, [], null, "text", { decision: "true" }, { decision: 1 }, { evaluations: [] }])
    it(`is never a grant: ${JSON.stringify(body)}`, async () => {
      const server = await TestServer.start(answer(200, JSON.stringify(body)));
      const ann = annOf(clientOf(server));
      const errors = await Promise.all(
        ["yes1", "yes2"].map((id) => failureOf(ann.can("READ", document(id)))),
      );
      expect(errors.map(({ name }) => name)).toEqual(["IkgUnreachable", "IkgUnreachable"]);
    });
});

describe("the end of a joined question", () => {
  it("leaves the others as they are", async () => {
    const late: Behaviour = (response, request) => void setTimeout(() => decides(response, request), 200);
    const server = await TestServer.start(late);
    const ann = annOf(clientOf(server));
    const [aborted, slow, granted] = await Promise.all([
      failureOf(ann.can("READ", document("yes1"), { signal: AbortSignal.timeout(50) })),
      failureOf(ann.can("READ", document("yes2"), { timeoutMs: 60 })),
      ann.can("READ", document("yes3")),
    ]);
    expect([aborted.name, slow.message, granted]).toEqual(["TimeoutError", "no response within 60 ms", true]);
    expect(server.received).toHaveLength(1);
  });

  it("ends the request when no question waits any more", async () => {
    const server = await TestServer.start(hang);
    const ann = annOf(clientOf(server));
    const controller = new AbortController();
    const calls = ["a", "b"].map((id) =>
      failureOf(ann.can("READ", document(id), { signal: controller.signal })),
    );
    await eventually(
      () => server.received.length,
      (count) => count > 0,
      { withinMs: 60_000, everyMs: 5 },
    );
    controller.abort();
    expect((await Promise.all(calls)).map(({ name }) => name)).toEqual(["AbortError", "AbortError"]);
    await delay(50);
    expect(server.sockets.size).toBe(0);
  });

  it("sends nothing when it comes before the request", async () => {
    const server = await TestServer.start(decides);
    const ann = annOf(clientOf(server));
    const controller = new AbortController();
    const call = failureOf(ann.can("READ", document("a"), { signal: controller.signal }));
    controller.abort();
    await call;
    await delay(20);
    expect(server.received).toHaveLength(0);
  });
});

describe("random schedules", () => {
  const step = fc.record({
    id: fc.constantFrom("yes", "no", "wrong", "lost"),
    person: fc.constantFrom("ann", "bob"),
    token: fc.constantFrom(undefined, "t1", "t2"),
    session: fc.constantFrom(0, 1, 2),
    explain: fc.boolean(),
    turns: fc.integer({ min: 0, max: 3 }),
    microtasks: fc.integer({ min: 0, max: 3 }),
  });

  it("give each caller the answer of its own question, and never join credentials or tokens", async () => {
    const jittered: Behaviour = (response, request) =>
      void setTimeout(() => decides(response, request), request.text.length % 7);
    const server = await TestServer.start(jittered);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        server.received.length = 0;
        const ikg = clientOf(server);
        const clients = [ikg, ikg.session("c1"), ikg.session("c2")];
        await Promise.all(
          steps.map(async ({ id, person, token, session, explain, turns, microtasks }, at) => {
            for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
            for (let task = 0; task < microtasks; task++) await Promise.resolve();
            const resource = `${id}-${at}-${token ?? "none"}-${session}-${explain}`;
            const call = clients[session]
              ?.as({ type: "Person", id: person, token })
              .decide("READ", document(resource), { explain });
            if (id === "wrong") {
              const error = await failureOf(call ?? Promise.resolve());
              expect(error.errors).toEqual([missingParameterText(resource)]);
            } else {
              const decision = await call;
              expect(decision).toEqual({ decision: id === "yes", context: { reason: resource } });
            }
          }),
        );
        for (const request of server.received) {
          const { authorization, "x-consistency-token": consistency, "x-explain": explain } = request.headers;
          for (const { resource } of questionsOf(request)) {
            const [, , token, session, explained] = resource.id.split("-");
            expect(authorization).toBe(token === "none" ? undefined : `Bearer ${token}`);
            expect(consistency).toBe(session === "0" ? undefined : `c${session}`);
            expect(explain).toBe(explained === "true" ? "true" : undefined);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
