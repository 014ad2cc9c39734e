/**
 * Examples of requests and answers: one story, in its order, of an airfield with pilots and aircraft. They are part of
 * the OpenAPI document, and a test plays them against the running services.
 */

export interface Example {
  /** Name of the operation in the document. */
  readonly operation: string;
  /** Name among the examples of that operation. */
  readonly name: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly request?: unknown;
  /** What the answer contains at least; gids and times are those of the example. */
  readonly response: unknown;
  /** A member of the answer whose value differs from run to run. */
  readonly varying?: string;
}

/** Stand-ins: every run has other gids. */
export const organizationId = "gid:AAAAAQAAAAAAAAAAAAAAAAAAAAE";
const projectId = "gid:AAAAAgAAAAAAAAAAAAAAAAAAAAI";
const applicationId = "gid:AAAAAwAAAAAAAAAAAAAAAAAAAAM";
const agentId = "gid:AAAABAAAAAAAAAAAAAAAAAAAAAQ";
const credentialId = "gid:AAAABQAAAAAAAAAAAAAAAAAAAAU";
const mayFly = "gid:AAAABgAAAAAAAAAAAAAAAAAAAAY";
const mayRead = "gid:AAAABgAAAAAAAAAAAAAAAAAAAAc";
const ratedPilots = "gid:AAAABwAAAAAAAAAAAAAAAAAAAAg";
const nodes = ["amelia", "louis", "dc3", "N211", "N950"].map(
  (_, at) => `gid:AAAACAAAAAAAAAAAAAAAAAAAA${at}0`,
);

const pilot = (external_id: string, hours: number) => ({
  external_id,
  type: "Pilot",
  is_identity: true,
  properties: [{ type: "hours", value: hours }],
});
const aircraft = (external_id: string, airworthy: boolean) => ({
  external_id,
  type: "Aircraft",
  properties: [{ type: "airworthy", value: airworthy }],
});
const related = (type: string, source: readonly [string, string], target: readonly [string, string]) => ({
  source: { type: source[0], external_id: source[1] },
  type,
  target: { type: target[0], external_id: target[1] },
});

const amelia = { type: "Pilot", id: "amelia" };
const fly = { name: "FLY" };
const n211 = { type: "Aircraft", id: "N211" };
const enough = { input_params: { min_hours: 100 } };

const flyPolicy = (leastHours: string) => ({
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Pilot" },
  actions: ["FLY"],
  resource: { type: "Aircraft" },
  condition: {
    cypher: `MATCH (subject)-[:RATED_FOR]->(:Model)<-[:IS]-(resource) WHERE resource.property.airworthy AND subject.property.hours >= ${leastHours}`,
  },
});
const readPolicy = JSON.stringify({
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "_Application" },
  condition: { cypher: "MATCH (subject:_Application) MATCH (pilot:Pilot)-[:RATED_FOR]->(model:Model)" },
  allowed_reads: { nodes: ["pilot.external_id", "pilot.property.hours", "model.external_id"] },
});
const query = JSON.stringify({
  nodes: ["pilot.external_id", "pilot.property.hours"],
  filter: { attribute: "model.external_id", operator: "=", value: "$model" },
});

export const examples: readonly Example[] = [
  {
    operation: "create_project",
    name: "project",
    request: { organization_id: organizationId, name: "airfield" },
    response: { id: projectId, name: "airfield", organization_id: organizationId, ikg_status: "ACTIVE" },
  },
  {
    operation: "create_application",
    name: "application",
    request: { project_id: projectId, name: "dispatch" },
    response: { id: applicationId, name: "dispatch", project_id: projectId },
  },
  {
    operation: "create_application_agent",
    name: "agent",
    request: {
      application_id: applicationId,
      name: "dispatch-agent",
      api_permissions: ["Capture", "Authorization", "ContXIQ", "ReadDataSchema", "ReadAuthZConfigs"],
    },
    response: { id: agentId, name: "dispatch-agent", application_id: applicationId },
  },
  {
    operation: "create_application_agent_credential",
    name: "key",
    request: { application_agent_id: agentId },
    response: { id: credentialId, application_agent_id: agentId },
  },
  {
    operation: "upsert_nodes",
    name: "pilots and aircraft",
    request: {
      nodes: [
        pilot("amelia", 1_200),
        pilot("louis", 80),
        { external_id: "dc3", type: "Model" },
        aircraft("N211", true),
        aircraft("N950", false),
      ],
    },
    response: { results: nodes.map((id) => ({ id })) },
  },
  {
    operation: "upsert_relationships",
    name: "ratings",
    request: {
      relationships: [
        related("RATED_FOR", ["Pilot", "amelia"], ["Model", "dc3"]),
        related("RATED_FOR", ["Pilot", "louis"], ["Model", "dc3"]),
        related("IS", ["Aircraft", "N211"], ["Model", "dc3"]),
        related("IS", ["Aircraft", "N950"], ["Model", "dc3"]),
      ],
    },
    response: {
      results: [1, 2, 3, 4].map((at) => ({ id: `gid:AAAACQAAAAAAAAAAAAAAAAAAA${at}0` })),
    },
  },
  {
    operation: "upsert_relationships",
    name: "without those whose end is missing",
    request: {
      relationships: [
        related("RATED_FOR", ["Pilot", "amelia"], ["Model", "dc3"]),
        related("RATED_FOR", ["Pilot", "amelia"], ["Model", "concorde"]),
      ],
      on_missing: "skip",
    },
    response: {
      results: [{ id: "gid:AAAACQAAAAAAAAAAAAAAAAAAA10" }, { id: "" }],
      skipped: [{ index: 1, reason: "target: node does not exist" }],
    },
  },
  {
    operation: "create_authorization_policy",
    name: "who may fly",
    request: {
      project_id: projectId,
      name: "may-fly",
      status: "ACTIVE",
      policy: JSON.stringify(flyPolicy("$min_hours")),
    },
    response: { id: mayFly, name: "may-fly", status: "ACTIVE" },
  },
  {
    operation: "evaluate",
    name: "granted",
    request: { subject: amelia, action: fly, resource: n211, context: enough },
    response: { decision: true },
  },
  {
    operation: "evaluate",
    name: "denied",
    request: { subject: { ...amelia, id: "louis" }, action: fly, resource: n211, context: enough },
    response: { decision: false },
  },
  {
    operation: "evaluate_batch",
    name: "two aircraft",
    request: {
      subject: amelia,
      action: fly,
      context: enough,
      evaluations: [{ resource: n211 }, { resource: { ...n211, id: "N950" } }],
    },
    response: { evaluations: [{ decision: true }, { decision: false }] },
  },
  {
    operation: "search_resource",
    name: "what she may fly",
    request: { subject: amelia, action: fly, resource: { type: "Aircraft" }, context: enough },
    response: { results: [n211] },
  },
  {
    operation: "search_subject",
    name: "who may fly it",
    request: { subject: { type: "Pilot" }, action: fly, resource: n211, context: enough },
    response: { results: [amelia] },
  },
  {
    operation: "search_action",
    name: "what she may do",
    request: { subject: amelia, resource: n211, context: enough },
    response: { results: [fly] },
  },
  {
    operation: "simulate",
    name: "who may fly if 50 hours are enough",
    request: {
      project_id: projectId,
      changes: [
        {
          op: "put",
          collection: "authorization-policies",
          name: "may-fly",
          record: { status: "ACTIVE", policy: flyPolicy("50") },
        },
      ],
      inputs: enough,
    },
    response: {
      complete: true,
      milliseconds: 24,
      questions: [
        {
          subject_type: "Pilot",
          action: "FLY",
          resource_type: "Aircraft",
          before: { granted: 1, exact: true },
          after: { granted: 2, exact: true },
          gained: {
            count: 1,
            exact: true,
            examples: [{ subject: "louis", resource: "N211", policies: ["may-fly"] }],
          },
          lost: { count: 0, exact: true, examples: [] },
          subjects: { examined: 2, of: 2 },
          method: "scan",
        },
      ],
      undetermined: [],
    },
    varying: "milliseconds",
  },
  {
    operation: "list_active_policies",
    name: "policies of pilots",
    query: { subject_type: "Pilot" },
    response: {},
  },
  {
    operation: "create_authorization_policy",
    name: "what an application may read",
    request: { project_id: projectId, name: "may-read-ratings", status: "ACTIVE", policy: readPolicy },
    response: { id: mayRead, name: "may-read-ratings", status: "ACTIVE" },
  },
  {
    operation: "create_knowledge_query",
    name: "rated pilots",
    request: { project_id: projectId, name: "rated-pilots", policy_id: mayRead, status: "ACTIVE", query },
    response: { id: ratedPilots, name: "rated-pilots", policy_id: mayRead, status: "ACTIVE" },
  },
  {
    operation: "execute",
    name: "pilots of a model",
    request: { id: "rated-pilots", input_params: { model: "dc3" } },
    response: {
      data: [
        { nodes: { "pilot.external_id": "amelia", "pilot.property.hours": 1_200 } },
        { nodes: { "pilot.external_id": "louis", "pilot.property.hours": 80 } },
      ],
    },
  },
  { operation: "read_data_schema", name: "what the graph holds", response: {} },
  {
    operation: "read_project",
    name: "project",
    path: { id: projectId },
    response: { id: projectId, name: "airfield" },
  },
  {
    operation: "list_applications",
    name: "of a project",
    query: { project_id: projectId, full_fetch: "true" },
    response: { data: [{ id: applicationId, name: "dispatch" }] },
  },
  {
    operation: "delete_project",
    name: "with all that belongs to it",
    path: { id: projectId },
    response: { id: projectId },
  },
];
