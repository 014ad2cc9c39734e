import { afterAll, beforeAll } from "@jest/globals";
import type { Gid, Validation } from "@ikg/contracts";
import { type ConfigsUnderTest, startConfigs } from "../configs-under-test.ts";
import type { Tenant } from "../tenant.ts";

export let configs: ConfigsUnderTest;
export let tenant: Tenant;
export let project: Gid;
/** Its key. */
export let pk: string;

const options = { timeoutMs: 60_000 };

/** Gives the tests of a file a running service, and a project in whose graph Ann owns two mauve cars. */
export const useGraph = (): void => {
  beforeAll(async () => {
    configs = await startConfigs();
    tenant = await configs.tenant();
    project = (await tenant.project()).id;
    const [row] = await configs.graph.shared.read(
      "MATCH (p:_Project {id: $project}) RETURN p.pk AS pk",
      { project },
      options,
    );
    pk = String(row?.["pk"]);
    const node = (type: string, id: string) =>
      `(${id}:_Node:_P__${pk}:${type}__${pk} {_key: '${pk}/${type}/${id}', id: '${pk}${id}', type: '${type}', external_id: '${id}', is_identity: false, colour: 'mauve'})`;
    await configs.graph.shared.write(
      (tx) =>
        tx.run(
          `CREATE ${node("Person", "ann")}-[:OWNS]->${node("Car", "beetle")}, (ann)-[:OWNS]->${node("Car", "mini")}`,
          {},
        ),
      options,
    );
  });
  afterAll(() => configs.close());
};

export const validate = async (path: string, body: object, as = tenant) => {
  const answer = await as.send("POST", `/${path}/validate`, {
    project_id: project,
    name: "tried",
    status: "ACTIVE",
    ...body,
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return { ...(answer.body as unknown as Validation), text: answer.text };
};

/** Everything that the database holds of the tenant, but for what is still being delivered. */
export const everything = async (): Promise<unknown> => {
  const [row] = await configs.graph.shared.read(
    [
      "CALL () { MATCH (n) WHERE NOT n:_Outbox|_AuditOutbox AND (n.organization_id = $organization OR n._key STARTS WITH $prefix)",
      "RETURN n ORDER BY elementId(n) }",
      "RETURN collect([labels(n), properties(n)]) AS all",
    ].join(" "),
    { organization: tenant.organization, prefix: `${pk}/` },
    options,
  );
  return JSON.stringify(row?.["all"], (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
};
