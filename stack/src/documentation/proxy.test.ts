import { describe, expect, it } from "@jest/globals";
import { parse, parseAllDocuments } from "yaml";
import { type ClusterObject, type End, reachable } from "../kubernetes/network.ts";
import { textInRepository } from "../repository.ts";
import { documentedCommands, documentedLines } from "../testing/suites/documented-commands.ts";
import { documentedGenerator } from "../testing/suites/documented-overlay.ts";
import { variablesIn } from "../testing/suites/proxied-suite.ts";

const blockAfter = (sentence: string): unknown => parse(documentedLines(sentence).join("\n"));

const annotation = "nginx.ingress.kubernetes.io/";

// Files and blocks of this repository, with these shapes.
interface Ingress {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
}

interface Patches {
  readonly patches: readonly {
    readonly target: { readonly kind: string; readonly name: string };
    readonly patch: string;
  }[];
}

/** An operation of a JSON patch (RFC 6902). */
interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value: unknown;
}

interface Schema {
  readonly definitions: { readonly settings: { readonly properties: Readonly<Record<string, unknown>> } };
}

const gatewayFile = "k8s/base/services/gateway.yaml";

/** @throws Error where what the path adds to is not there */
const addTo = (object: ClusterObject, { op, path, value }: Operation): ClusterObject => {
  if (op !== "add") throw new Error(`the operation ${op} of a patch is not known here`);
  const copy = structuredClone(object);
  const names = path.split("/").slice(1);
  const parent = names
    .slice(0, -1)
    .reduce<unknown>((node, each) => Reflect.get(node as object, each) as unknown, copy);
  Reflect.set(parent as object, names.at(-1) ?? "", value);
  return copy;
};

/** The objects of the gateway with the patches of the page; each has to have its target. */
const patchedGateway = (objects: readonly ClusterObject[]): readonly ClusterObject[] => {
  const { patches } = blockAfter("admit the controller alone") as Patches;
  return patches.reduce<readonly ClusterObject[]>((all, { target, patch }) => {
    const isTarget = ({ kind, metadata }: ClusterObject) =>
      kind === target.kind && metadata.name === target.name;
    if (!all.some(isTarget)) throw new Error(`${gatewayFile} has no ${target.kind} ${target.name}`);
    const operations = parse(patch) as readonly Operation[];
    return all.map((each) => (isTarget(each) ? operations.reduce<ClusterObject>(addTo, each) : each));
  }, objects);
};

const gateway: End = {
  name: "gateway",
  labels: { "app.kubernetes.io/name": "gateway" },
  ports: [
    { name: "http", number: 8080 },
    { name: "metrics", number: 9090 },
  ],
};
const podIn = (namespace: string): End => ({
  name: namespace,
  namespaceLabels: { "kubernetes.io/metadata.name": namespace },
  ports: [],
});
const callers: readonly End[] = [podIn("ingress-nginx"), podIn("default"), { name: "outside", ports: [] }];

describe("the lines of operations.md for a proxy", () => {
  it("have nginx let through what the Ingress of k8s lets through, for as long", () => {
    const directives = new Map(
      documentedLines("For nginx:").map((line) => {
        const [name = "", value = ""] = line.trim().replace(/;$/, "").split(/\s+/);
        return [name, value];
      }),
    );
    const { annotations } = (parse(textInRepository("k8s/overlays/production/ingress.yaml")) as Ingress)
      .metadata;
    const allowed = (name: string): string | undefined => annotations[`${annotation}${name}`];
    expect({
      size: directives.get("client_max_body_size"),
      requests: directives.get("proxy_request_buffering"),
      answers: directives.get("proxy_buffering"),
      read: directives.get("proxy_read_timeout"),
      send: directives.get("proxy_send_timeout"),
    }).toEqual({
      size: allowed("proxy-body-size"),
      requests: allowed("proxy-request-buffering"),
      answers: allowed("proxy-buffering"),
      read: `${allowed("proxy-read-timeout")}s`,
      send: `${allowed("proxy-send-timeout")}s`,
    });
  });

  it("set the same on Compose, in an overlay and in the chart", () => {
    const ofCompose = variablesIn(documentedCommands("behind a proxy on compose").split("\n"));
    const generator = documentedGenerator();
    const { settings } = blockAfter("In the values of the chart:") as {
      readonly settings: Readonly<Record<string, string>>;
    };
    expect([generator.name, generator.behavior]).toEqual(["settings", "merge"]);
    expect(variablesIn(generator.literals)).toEqual(settings);
    expect(ofCompose).toMatchObject({ PUBLIC_URL: settings["PUBLIC_URL"], TRUSTED_PROXIES: "$gateway" });
    const { definitions } = JSON.parse(textInRepository("deploy/helm/ikg/values.schema.json")) as Schema;
    expect(Object.keys(definitions.settings.properties)).toEqual(
      expect.arrayContaining(Object.keys(settings)),
    );
  });

  it("have the policy of the gateway admit the controller alone, at the port of clients", () => {
    const objects = parseAllDocuments(textInRepository(gatewayFile)).map(
      (document) => document.toJS() as ClusterObject,
    );
    const whatReaches = (all: readonly ClusterObject[]) =>
      callers.map((caller) => reachable(all, caller, [gateway]));
    expect(whatReaches(objects)).toEqual([["gateway:http"], ["gateway:http"], ["gateway:http"]]);
    expect(whatReaches(patchedGateway(objects))).toEqual([["gateway:http"], [], []]);
  });
});
