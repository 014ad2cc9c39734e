import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { corpusIsAbsent } from "../../../stack/src/testing/corpus.ts";
import { openQuery, type OpenQuery } from "../../src/configuration/open-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { type Entry, policyToSave, type PolicyEntry, type QueryEntry } from "../../src/corpus/entry.ts";
import { type CorpusGraph, readEntries, readGraph } from "../../src/corpus/read.ts";
import { completed, type Found, shownBy, type Walk, walkOver } from "../../src/corpus/walk.ts";
import { capture } from "../../src/requests/capture.ts";
import { createTokenIssuer, type TokenIssuer } from "../../src/tokens/token-issuer.ts";

/**
 * Every reading query of the corpus over its graph, for many persons and parameters: the rows, as a multiset, are those
 * that trying everything finds in the file.
 */
interface QueryInputs {
  readonly person?: string;
  readonly input_params: Readonly<Record<string, string>>;
}

interface Expectation {
  readonly listInputs: (graph: CorpusGraph) => readonly QueryInputs[];
  readonly rows: (start: Walk, inputs: QueryInputs) => Walk;
  /** What is no path of a node. */
  readonly more?: (found: Found) => Readonly<Record<string, unknown>>;
}

const ids = ({ nodes }: CorpusGraph, type: string): readonly string[] =>
  nodes.filter((node) => node.type === type).map(({ external_id }) => external_id);
const persons = (graph: CorpusGraph, param?: string, type = ""): readonly QueryInputs[] =>
  ids(graph, "User").flatMap((person) =>
    param === undefined
      ? [{ person, input_params: {} }]
      : ids(graph, type).map((id) => ({ person, input_params: { [param]: id } })),
  );
const params = (name: string, type: string) => (graph: CorpusGraph) =>
  ids(graph, type).map((id) => ({ input_params: { [name]: id } }));
const documents = ["WORKS_IN", "CAN_ACCESS", "CONTAINS"];

const expectations: Readonly<Record<string, Readonly<Record<string, Expectation>>>> = {
  agents: {
    "query-045": {
      listInputs: (graph) => persons(graph),
      rows: (start, { person }) =>
        start
          .node("subject", "User", person)
          .optional("subject", { types: ["WORKS_IN"], to: "department", type: "Department" })
          .optional("subject", { types: ["REPORTS_TO"], to: "manager", type: "User" }),
      more: () => ({ agent: "an agent" }),
    },
    "query-046": {
      listInputs: (graph) =>
        persons(graph).map((inputs) => ({ ...inputs, input_params: { ticker: "NVDA" } })),
      rows: (start, { person }) =>
        start
          .node("subject", "User", person)
          .hop("subject", { types: ["WORKS_IN"], to: "department", type: "Department" })
          .hop("department", { types: ["CAN_RETRIEVE"], to: "quote", type: "Quote" }),
    },
    "query-047": {
      listInputs: (graph) => persons(graph, "customer_external_id", "Customer"),
      rows: (start, { person, input_params }) =>
        start
          .node("subject", "User", person)
          .hop("subject", { types: ["WORKS_IN"], to: "department", type: "Department" })
          .hop("department", {
            types: ["CAN_ACCESS", "CONTAINS"],
            most: 2,
            to: "customer",
            type: "Customer",
            id: input_params["customer_external_id"] ?? "",
          })
          .hop("customer", { types: ["OWNS"], direction: "both", to: "account", type: "Account" })
          .hop("account", { types: ["IS_TIER"], to: "tier", type: "AccountTier" })
          .where((found) =>
            start
              .node("c", "InvestmentCategory", "cat_stocks")
              .hop("c", { types: ["IS_TYPE"], direction: "in", to: "a", type: "Account" })
              .rows.some(({ nodes }) => nodes["a"] === found.nodes["account"]),
          ),
    },
    "query-048": {
      listInputs: (graph) => persons(graph, "taxonomy_external_id", "Taxonomy"),
      rows: (start, { person, input_params }) =>
        start
          .node("subject", "User", person)
          .hop("subject", { types: documents, most: 4, to: "document", type: "Document" })
          .hop("document", {
            types: ["IS_TYPE"],
            to: "taxonomy",
            type: "Taxonomy",
            id: input_params["taxonomy_external_id"] ?? "",
          }),
    },
    "query-049": {
      listInputs: () => [{ input_params: {} }],
      rows: (start) =>
        start
          .node("doc", "Document")
          .hop("doc", { types: ["SUBJECT_TO"], to: "ra", type: "RegulatoryAgreement" })
          .hop("doc", { types: ["CLASSIFIED_AS"], to: "ic", type: "InvestmentCategory" }),
    },
    "query-050": {
      listInputs: () => [{ input_params: {} }],
      rows: (start) => start.node("ra", "RegulatoryAgreement"),
    },
    "query-051": {
      listInputs: (graph) => persons(graph, "document_external_id", "Document"),
      rows: (start, { person, input_params }) =>
        start
          .node("subject", "User", person)
          .hop("subject", {
            types: documents,
            most: 4,
            to: "document",
            type: "Document",
            id: input_params["document_external_id"] ?? "",
          })
          .node("decision", "Decision")
          .hop("decision", { types: ["MADE"], direction: "in", to: "actor", type: "User" })
          .hop("decision", { direction: "in", to: "ticket", type: "Ticket" })
          .hop("ticket", { types: ["REGARDING"], to: "account", type: "Account" })
          .hop("ticket", { types: ["CREATED_BY"], direction: "both", to: "customer", type: "Customer" })
          .hop("decision", { to: "applied", type: "Document" })
          .where(({ nodes }) => nodes["applied"] === nodes["document"]),
      more: ({ way }) => ({
        "document_applied.type": way.at(-1)?.type,
        "decision.create_time": "an instant",
      }),
    },
    "query-052": {
      listInputs: params("agent_id", "Agent"),
      rows: (start, { input_params }) =>
        start
          .node("wf", "Workflow")
          .hop("wf", {
            types: ["INVOKES"],
            most: 10,
            to: "a",
            type: "Agent",
            id: input_params["agent_id"] ?? "",
          })
          .where(({ nodes, way }) =>
            way.every(
              ({ target, properties = [] }) =>
                target.type === "Agent" &&
                properties.find(({ type }) => type === "workflow_name")?.value === nodes["wf"]?.external_id,
            ),
          ),
      more: ({ nodes, way }) => ({
        workflow: nodes["wf"]?.external_id,
        agent_list: way.map(({ target }) => target.external_id),
      }),
    },
    "query-053": {
      listInputs: (graph) => persons(graph),
      rows: (start, { person }) =>
        start.node("subject", "User", person).node("weather", "Weather", "hq_weather"),
    },
  },
  bank: {
    "query-069": {
      listInputs: params("caller_id", "User"),
      rows: (start, { input_params }) =>
        start
          .node("caller", "User", input_params["caller_id"])
          .hop("caller", { types: ["OWNS"], to: "account", type: "FinAccount" }),
    },
    "query-070": {
      listInputs: (graph) =>
        ids(graph, "User")
          .slice(0, 6)
          .flatMap((caller_id) =>
            ids(graph, "FinAccount")
              .slice(0, 12)
              .map((account_external_id) => ({ input_params: { caller_id, account_external_id } })),
          )
          .concat([{ input_params: { caller_id: "50", account_external_id: "100050001" } }]),
      rows: (start, { input_params }) =>
        start
          .node("caller", "User", input_params["caller_id"])
          .hop("caller", {
            types: ["OWNS"],
            to: "account",
            type: "FinAccount",
            id: input_params["account_external_id"] ?? "",
          })
          .hop("account", { types: ["HAS"], to: "tx", type: "Transaction" }),
    },
    "query-071": {
      listInputs: params("org_id", "Organization"),
      rows: (start, { input_params }) =>
        start
          .node("org", "Organization", input_params["org_id"])
          .hop("org", { types: ["MEMBER_OF"], direction: "in", to: "user", type: "User" })
          .hop("user", { types: ["WORKS_FOR"], to: "branch", type: "Branch" }),
    },
  },
  demo: {
    "query-072": {
      listInputs: (graph) =>
        ids(graph, "Application").flatMap((app_external_id) =>
          graph.nodes
            .flatMap(({ type, properties = [] }) =>
              type === "LicenseNumber" ? properties.filter((each) => each.type === "number") : [],
            )
            .map(({ value }) => ({ input_params: { app_external_id, license: String(value) } })),
        ),
      rows: (start, { input_params }) =>
        start
          .node("app", "Application", input_params["app_external_id"])
          .hop("app", { types: ["USES"], to: "consentpayment", type: "ConsentPayment" })
          .hop("consentpayment", { types: ["GRANTED"], direction: "in", to: "person", type: "Person" })
          .hop("person", { types: ["HAS"], to: "paymentmethod", type: "PaymentMethod" })
          .hop("person", { types: ["IS_MEMBER"], to: "loyalty", type: "Loyalty" })
          .hop("person", { types: ["OWNS"], to: "car", type: "Car" })
          .hop("car", { types: ["HAS"], to: "ln", type: "LicenseNumber" })
          .where((found) => shownBy("ln.property.number", found) === input_params["license"]),
    },
  },
};

/** When a node was made, no file says. */
const timeless = (path: string, value: unknown): unknown =>
  path.endsWith(".create_time") && !Number.isNaN(Date.parse(String(value))) ? "an instant" : value;

const describeFolder = (folder: string, entries: readonly Entry[], graph: CorpusGraph): void => {
  let tenant: Tenant;
  let issuer: TokenIssuer;

  beforeAll(async () => {
    tenant = await createTenant(`ciq-rows-${folder}`);
    issuer = await createTokenIssuer(tenant.projectId, { ikg_node_type: "User" });
    await capture(graph, tenant);
  }, 120_000);
  afterAll(() => tenant?.remove());

  const open = (query: QueryEntry): Promise<OpenQuery> => {
    const policy = entries.find(
      (each): each is PolicyEntry => each.id === query.paired_with && each.kind === "ciq",
    );
    if (policy === undefined) throw new Error(`${query.id} has no policy`);
    return openQuery(tenant, policyToSave(policy), query.query);
  };

  it.each(Object.keys(expectations[folder] ?? {}))(
    "%s",
    async (id) => {
      const query = entries.find((each): each is QueryEntry => each.id === id && each.kind === "query");
      const expectation = expectations[folder]?.[id];
      if (query === undefined || expectation === undefined) throw new Error(`${id} is not in ${folder}`);
      const saved = await open(query);
      let rows = 0;
      for (const inputs of expectation.listInputs(graph)) {
        const { person, input_params } = inputs;
        const bearer =
          person === undefined ? undefined : await issuer.sign(person, { act: { sub: "an agent" } });
        const answered = await saved.rows({ bearer, input_params, page_size: 1_000 });
        const wanted = expectation.rows(walkOver(graph), inputs).rows.map((found) => ({
          ...Object.fromEntries((query.query.nodes ?? []).map((path) => [path, shownBy(path, found)])),
          ...expectation.more?.(found),
        }));
        const got = answered.map(({ nodes, relationships, aggregate_values }) => ({
          ...Object.fromEntries(Object.entries(nodes).map(([path, value]) => [path, timeless(path, value)])),
          ...relationships,
          ...aggregate_values,
        }));
        const texts = (each: readonly object[]): string[] =>
          each.map((row) => JSON.stringify(row)).toSorted();
        expect([inputs, texts(got)]).toEqual([inputs, texts(wanted)]);
        rows += got.length;
      }
      expect(rows).toBeGreaterThan(0);
    },
    120_000,
  );
};

describe("rows of the corpus", () => {
  if (corpusIsAbsent === undefined)
    // One project for each graph.
    describe.each(Object.keys(expectations))("of %s", (folder) => {
      describeFolder(folder, readEntries(folder), completed(readGraph(folder)));
    });
  // The corpus lies outside of the repository; a machine without it says so.
  // oxlint-disable-next-line jest/no-disabled-tests
  else it.skip(`not run: ${corpusIsAbsent}`, () => undefined);
});
