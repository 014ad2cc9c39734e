/** An Express API whose routes are guarded by decisions: docs/recipes/express-api.md. */
import express from "express";
import { Ikg, IkgError, StepUpRequired } from "@ikg/client";
import { authorize } from "@ikg/client/express";

const { IKG_URL, IKG_CLIENT_KEY, PORT = "3000" } = process.env;
const ikg = new Ikg({ baseUrl: IKG_URL, clientKey: IKG_CLIENT_KEY, timeoutMs: 2_000 });

/** The person of the token; an application with sessions of its own takes person and token from there. */
const subject = async ({ headers }) => {
  const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
  if (token === undefined) return undefined;
  const { type, id } = await ikg.as({ type: "Pilot", id: "unknown", token }).whoami();
  return ikg.as({ type, id, token });
};
const aircraft = ({ params }) => ({ type: "Aircraft", id: params.id });
const mayFly = authorize("FLY", aircraft, { subject, decide: { params: { min_hours: 100 } } });

const app = express();
app.get("/aircraft/:id/keys", mayFly, ({ params }, response) => response.json({ hook: params.id }));
app.get("/my/ratings", async (request, response) => {
  const pilot = await subject(request);
  if (pilot === undefined) return response.status(401).json({ message: "Sign in." });
  response.json(await pilot.query("my-ratings").toArray());
});

/** Nothing was decided: the request ends here. Express knows error handlers by their four parameters. */
app.use((error, _request, response, _next) => {
  if (error instanceof StepUpRequired) {
    const challenge = Object.entries(error.advice).map(([name, value]) => `${name}="${value}"`);
    response.set("WWW-Authenticate", `Bearer ${challenge.join(", ")}`);
    response.status(401).json({ message: error.summary });
  } else if (error instanceof IkgError && error.code === "bearer_invalid")
    response.status(401).json({ message: "Sign in." });
  else {
    console.error(error.message); // a wrong key, or a deployment that is down: the operator has to know
    response.status(503).json({ message: "Try again later." });
  }
});

const server = app.listen(Number(PORT), (error) => {
  if (error) throw error; // the port is taken, for example
  console.log(`http://127.0.0.1:${server.address().port}`);
});
