/**
 * The airfield of the README: pilots, the models that they are rated for, and aircraft.
 *
 *   node examples/airfield/airfield.mjs set-up                  creates a project with its key, graph, policies and queries
 *   node examples/airfield/airfield.mjs sign-in PILOT AGE       prints a token of a pilot who signed in AGE seconds ago
 *   node examples/airfield/airfield.mjs create COLLECTION FILE  creates a record of the project and prints its gid
 *   node examples/airfield/airfield.mjs simulation FILE         prints changes of a file as the body of a simulation
 *   node examples/airfield/airfield.mjs changes FILE            prints the changes of a file as the body that applies them
 *   node examples/airfield/airfield.mjs record FILE             prints the record that the first of them puts
 *   node examples/airfield/airfield.mjs remove                  removes the project and everything in it
 *
 * Needs only Node 18 or newer. `IKG_ENVIRONMENT` names the file with the addresses of the suite and the token of its
 * service account (default `environment.json` in `IKG_HOME`, which is `.ikg`). `set-up` writes `airfield.env` next to it, with `BASE`, `MCP`,
 * `KEY`, `TOKEN` (of the service account) and `PROJECT` for the commands of the documentation, and with the variables of the
 * command line `ikg`. `--name NAME` names the project; names are unique.
 */
import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

const environmentFile =
  process.env.IKG_ENVIRONMENT ?? join(process.env.IKG_HOME ?? ".ikg", "environment.json");
const folder = dirname(environmentFile);
const envFile = join(folder, "airfield.env");
const stateFile = join(folder, "airfield.json");

/** The identity provider that the project trusts; here a key pair stands for one. */
const issuer = "https://login.airfield.example";
const audience = "airfield";
const keyId = "tower";

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
const example = (path) => readJson(new URL(path, import.meta.url));
/** Readable by its owner alone. */
const writeSecret = (path, text) => writeFileSync(path, text, { mode: 0o600 });

const environment = () => {
  if (existsSync(environmentFile)) return readJson(environmentFile);
  throw new Error(
    `${environmentFile} does not exist: start the suite first, or name the file in IKG_ENVIRONMENT`,
  );
};

/** A response that is not a success. */
class Refused extends Error {
  constructor(call, status, text) {
    super(`${call}: ${status} ${text}`);
    this.status = status;
  }
}

/** Sends a request to the suite. @throws Refused */
const send = async (method, path, headers, body) => {
  const response = await fetch(new URL(path, environment().base_url), {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Refused(`${method} ${path}`, response.status, text);
  return text === "" ? undefined : JSON.parse(text);
};

const asAccount = () => ({ Authorization: `Bearer ${environment().service_account_token}` });
const create = (collection, record) => send("POST", `/configs/v1/${collection}`, asAccount(), record);

/** @throws Error with the next step if the project already exists */
const createProject = async (name) => {
  try {
    const { id } = await create("projects", { name, organization_id: environment().organization_id });
    return id;
  } catch (error) {
    if (error.status !== 409) throw error;
    throw new Error(
      existsSync(envFile)
        ? `The project ${name} already exists: . ${envFile}\nOr start over: node examples/airfield/airfield.mjs remove`
        : `The project ${name} already exists, but ${envFile} does not: set up another one with --name NAME`,
      { cause: error },
    );
  }
};

/** Creates an application with an agent, and a key for it. */
const createAgent = async (project) => {
  const application = await create("applications", { name: "dispatch", project_id: project });
  const agent = await create("application-agents", {
    name: "dispatch-agent",
    application_id: application.id,
    api_permissions: ["Capture", "Authorization", "ContXIQ", "ReadAuthZConfigs"],
  });
  const credential = await create("application-agent-credentials", { application_agent_id: agent.id });
  return { agent: agent.id, key: credential.application_agent_config.token };
};

const captureGraph = async (key) => {
  const headers = { "X-SVC-ClientKey": key };
  await send("POST", "/capture/v1/nodes", headers, example("nodes.json"));
  await send("POST", "/capture/v1/relationships", headers, example("relationships.json"));
};

const createPolicy = (project, name) =>
  create("authorization-policies", {
    name,
    project_id: project,
    status: "ACTIVE",
    policy: JSON.stringify(example(`policies/${name}.json`)),
  });

/** A query runs under a policy, which says what it may read or write. */
const createQuery = async (project, name, policyName) => {
  const policy = await createPolicy(project, policyName);
  return create("knowledge-queries", {
    name,
    project_id: project,
    policy_id: policy.id,
    status: "ACTIVE",
    query: JSON.stringify(example(`queries/${name}.json`)),
  });
};

/** Makes the project trust tokens of the issuer. */
const trustIssuer = async (project) => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicJwk = { ...publicKey.export({ format: "jwk" }), kid: keyId, alg: "ES256", use: "sig" };
  const introspect = await create("token-introspects", {
    name: keyId,
    project_id: project,
    ikg_node_type: "Pilot",
    jwt_matcher: { issuer, audience },
    offline_validation: { public_jwks: [JSON.stringify(publicJwk)] },
  });
  return { introspect: introspect.id, signingKey: privateKey.export({ format: "jwk" }) };
};

const setUp = async (name) => {
  const project = await createProject(name);
  const { agent, key } = await createAgent(project);
  await captureGraph(key);
  await createPolicy(project, "may-fly");
  await createQuery(project, "rated-pilots", "may-read-ratings");
  await createQuery(project, "my-ratings", "may-read-own");
  await createQuery(project, "sign-agreement", "may-sign");
  await createQuery(project, "aircraft-prices", "may-read-prices");
  const { introspect, signingKey } = await trustIssuer(project);
  writeSecret(stateFile, JSON.stringify({ project, agent, introspect, signing_key: signingKey }));
  const { base_url: base, mcp_url: mcp = base, service_account_token: token } = environment();
  const variables = {
    BASE: base,
    MCP: `${mcp}/mcp/v1/${project}`,
    KEY: key,
    TOKEN: token,
    PROJECT: project,
    // Those of the command line, `ikg`.
    IKG_URL: base,
    IKG_CLIENT_KEY: key,
    IKG_TOKEN: token,
    IKG_PROJECT: project,
  };
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${value}\n`);
  writeSecret(envFile, lines.join(""));
  process.stdout.write(`. ${envFile}\n`);
};

/** A record of a file, completed with the gids of the project that its collection requires. */
const createFromFile = async (collection, file) => {
  const { project, agent, introspect } = readJson(stateFile);
  const references =
    collection === "mcp-servers" ? { app_agent_id: agent, token_introspect_id: introspect } : {};
  const { id } = await create(collection, { project_id: project, ...references, ...readJson(file) });
  return id;
};

/** Changes are the same for every project; a simulation names the project that it looks at. */
const simulationOf = (file) => ({ project_id: readJson(stateFile).project, ...readJson(file) });

const changesOf = (file) => ({ project_id: readJson(stateFile).project, changes: readJson(file).changes });

/** The record of a change as its collection takes it, which wants the policy as text. */
const recordOf = (file) => {
  const { name, record } = readJson(file).changes[0];
  const { project } = readJson(stateFile);
  return { project_id: project, name, ...record, policy: JSON.stringify(record.policy) };
};

const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

const signIn = (subject, age) => {
  const now = Math.floor(Date.now() / 1000);
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss: issuer, aud: audience, sub: subject, iat: now, auth_time: now - age, exp: now + 300 };
  const text = `${part({ alg: "ES256", kid: keyId })}.${part(claims)}`;
  const key = createPrivateKey({ key: readJson(stateFile).signing_key, format: "jwk" });
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
};

const remove = async () => {
  // In any state of it: some deployments refuse a DELETE without the header.
  const headers = { ...asAccount(), "If-Match": "*" };
  await send("DELETE", `/configs/v1/projects/${readJson(stateFile).project}`, headers);
  for (const file of [stateFile, envFile]) rmSync(file, { force: true });
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { name: { type: "string", default: "airfield" } },
});
const [command, ...operands] = positionals;

try {
  if (command === "set-up") await setUp(values.name);
  else if (command === "sign-in" && operands.length > 0)
    process.stdout.write(`${signIn(operands[0], Number(operands[1] ?? 0))}\n`);
  else if (command === "create" && operands.length === 2)
    process.stdout.write(`${await createFromFile(...operands)}\n`);
  else if (command === "simulation" && operands.length === 1) print(simulationOf(operands[0]));
  else if (command === "changes" && operands.length === 1) print(changesOf(operands[0]));
  else if (command === "record" && operands.length === 1) print(recordOf(operands[0]));
  else if (command === "remove") await remove();
  else
    throw new Error(
      "Commands: set-up, sign-in PILOT [AGE], create COLLECTION FILE, simulation FILE, changes FILE, record FILE, remove.",
    );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
