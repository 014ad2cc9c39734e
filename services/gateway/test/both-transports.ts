/** Calls of services by each of the two transports. Shared by the tests of services that fail. */
import { becomes } from "./becomes.ts";
import { account, call, create, evaluation, list, normal, upstream } from "./gateway-under-test.ts";

/** A body that is not read before it is sent on. */
const long = " ".repeat(70_000);
const bearer = () => ({ Authorization: `Bearer ${account}` });

/** A read, a write and a decision by each of the two transports. */
export const transports = [
  {
    name: "short calls",
    path: "/configs/v1/projects",
    read: list,
    write: create,
    decide: () => evaluation(),
  },
  {
    name: "streams",
    path: "/audit/v1/logs",
    read: () => call("GET", "/audit/v1/logs", { headers: bearer() }),
    write: () => call("POST", "/configs/v1/projects", { headers: bearer(), body: long }),
    decide: () => evaluation({}, long),
  },
];

/** What the gateway or the service notices itself, a moment after the answer. */
export const seenLimits = { withinMs: 3_000, everyMs: 20 };

/** Lets the circuits close again. */
export const recover = async () => {
  upstream.answer = normal;
  upstream.early = undefined;
  for (const { read, write, decide } of transports)
    for (const ask of [read, write, decide]) await becomes(200, ask);
};
