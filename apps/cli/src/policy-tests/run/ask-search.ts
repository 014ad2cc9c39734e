import type { ActionResults, SearchResults } from "@ikg/contracts";
import type { Entity, Search } from "../file/world.ts";
import { refusalOf } from "../suite/suite.ts";
import { askDecision } from "./ask-decision.ts";
import { type TestClient, contextOf } from "./ask.ts";
import type { Outcome } from "./result.ts";

const paths = { resources: "resource", subjects: "subject", actions: "action" } as const;

/** Maximum number of explained results. */
const maxExplained = 3;

interface Found {
  readonly names: readonly string[];
  readonly refusal?: string;
}

/** Requests all pages of a search. */
const search = async (client: TestClient, test: Search): Promise<Found> => {
  const names: string[] = [];
  const body = {
    subject: test.subject,
    resource: test.resource,
    ...(test.action === undefined ? {} : { action: { name: test.action } }),
    ...contextOf(test),
  };
  for (let token: string | undefined; ;) {
    const page = token === undefined ? {} : { page: { token } };
    const { answer } = await client.post(
      `/access/v1/search/${paths[test.search]}`,
      { ...body, ...page },
      { as: test.as, explain: false },
    );
    if (answer.status !== 200) return { names, refusal: refusalOf(answer) };
    const { results, page: next } = answer.body as SearchResults | ActionResults; // validated by the contract
    names.push(...results.map((each) => ("name" in each ? each.name : each.id)));
    if (next === undefined || next.next_token === "") return { names };
    token = next.next_token;
  }
};

/** The evaluation of one result; its explanation shows why the result is present or missing. */
const pairOf = (test: Search, name: string): { subject: Entity; action: string; resource: Entity } => {
  const end = ({ type, id = name }: { readonly type: string; readonly id?: string }): Entity => ({
    type,
    id,
  });
  return { subject: end(test.subject), action: test.action ?? name, resource: end(test.resource) };
};

const explain = async (client: TestClient, test: Search, name: string): Promise<readonly string[]> => {
  const { why } = await askDecision(
    { ...client, explainsAll: true },
    {
      ...pairOf(test, name),
      kind: "decision",
      title: test.title,
      place: test.place,
      as: test.as,
      params: test.params,
      context: test.context,
      expect: { granted: true, status: 200 },
    },
  );
  return why.map((line) => `${name}: ${line}`);
};

/** Searches for actions, resources or subjects; the order of results is ignored. */
export const askSearch = async (client: TestClient, test: Search): Promise<Outcome> => {
  const { names, refusal } = await search(client, test);
  const found = new Set(names);
  const wanted = new Set(test.expect);
  const missing = [...wanted].filter((name) => !found.has(name));
  const surplus = [...found].filter((name) => !wanted.has(name));
  const differing = [...missing, ...surplus];
  const why: string[] = [];
  if (refusal === undefined)
    for (const name of differing.slice(0, maxExplained)) why.push(...(await explain(client, test, name)));
  const list = (of: Iterable<string>): string => `[${[...of].sort().join(", ")}]`;
  return {
    passed: refusal === undefined && differing.length === 0,
    expected: list(wanted),
    actual: refusal ?? list(found),
    why,
    observation: { kind: "search", test },
  };
};
