/** A write whose effect the next read sees, in any process: docs/recipes/read-your-writes.md. */
import { Ikg } from "@ikg/client";

const { IKG_URL, IKG_CLIENT_KEY } = process.env;
const ikg = new Ikg({ baseUrl: IKG_URL, clientKey: IKG_CLIENT_KEY, timeoutMs: 5_000 });

const bessie = { type: "Pilot", external_id: "bessie" };
const mayFly = (client) =>
  client
    .as({ type: "Pilot", id: "bessie" })
    .can("FLY", { type: "Aircraft", id: "N211" }, { params: { min_hours: 100 } });

console.log("before", await mayFly(ikg));

const session = ikg.session();
await session.capture.nodes([{ ...bessie, is_identity: true, properties: [{ type: "hours", value: 900 }] }]);
await session.capture.relationships([
  { source: bessie, type: "RATED_FOR", target: { type: "Model", external_id: "dc3" } },
]);
console.log("after", await mayFly(session));

// Another process: the token comes from the session of the browser, for example.
const token = session.consistencyToken;
console.log("elsewhere", await mayFly(ikg.session(token)));

await session.capture.deleteNodes([bessie]);
console.log("deleted", await mayFly(session));
