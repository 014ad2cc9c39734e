import { afterAll, beforeAll, beforeEach } from "@jest/globals";
import type { Gid } from "@ikg/contracts";
import { type ConfigsUnderTest, startConfigs } from "../configs-under-test.ts";
import type { Answer, Tenant } from "../tenant.ts";
import { kbacText } from "../policy-texts.ts";
import { type Applied, changesOf } from "./changes-under-test.ts";

export let configs: ConfigsUnderTest;
export let tenant: Tenant;
export let project: Gid;
export let changes: ReturnType<typeof changesOf>;

/** A page of change records or of versions. */
export interface Page {
  readonly items: readonly Applied[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

/** A record of the project. */
export const byName = (collection: string, name: string): Promise<Answer> =>
  tenant.send("GET", `/${collection}/${name}?project_id=${project}`);

/** Change records of the project. */
export const list = async (query = "", as = tenant): Promise<Page> => {
  const answer = await as.send("GET", `/changes?project_id=${project}${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as unknown as Page;
};

export const policyBody = (name: string) => ({
  project_id: project,
  name,
  status: "ACTIVE",
  policy: kbacText(),
});

/** Gives the tests of a file a running service and a tenant, and each test an empty project. */
export const useProject = (): void => {
  beforeAll(async () => {
    configs = await startConfigs();
    tenant = await configs.tenant();
  });
  beforeEach(async () => {
    project = (await tenant.project()).id;
    changes = changesOf(tenant, project);
  });
  afterAll(() => configs.close());
};
