import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { inRepository } from "../repository.ts";
import { documentedCommands, documentedLines } from "../testing/documented-commands.ts";
import { variablesIn } from "../testing/proxied-suite.ts";

const read = (path: string): string => readFileSync(inRepository(path), "utf8");
const documented = (sentence: string): unknown => parse(documentedLines(sentence).join("\n"));

const annotation = "nginx.ingress.kubernetes.io/";

// Files and blocks of this repository, with these shapes.
interface Ingress {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
}

interface Overlay {
  readonly configMapGenerator: readonly { readonly name: string; readonly literals: readonly string[] }[];
}

interface Schema {
  readonly definitions: { readonly settings: { readonly properties: Readonly<Record<string, unknown>> } };
}

describe("the lines of operations.md for a proxy", () => {
  it("have nginx let through what the Ingress of k8s lets through, for as long", () => {
    const directives = new Map(
      documentedLines("For nginx:").map((line) => {
        const [name = "", value = ""] = line.trim().replace(/;$/, "").split(/\s+/);
        return [name, value];
      }),
    );
    const { annotations } = (parse(read("k8s/overlays/production/ingress.yaml")) as Ingress).metadata;
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
    const { configMapGenerator } = documented("In an overlay of Kubernetes:") as Overlay;
    const [generator] = configMapGenerator;
    const { settings } = documented("In the values of the chart:") as {
      readonly settings: Readonly<Record<string, string>>;
    };
    expect(generator?.name).toBe("settings");
    expect(variablesIn(generator?.literals ?? [])).toEqual(settings);
    expect(ofCompose).toMatchObject({ PUBLIC_URL: settings["PUBLIC_URL"], TRUSTED_PROXIES: "$gateway" });
    const { definitions } = JSON.parse(read("deploy/helm/ikg/values.schema.json")) as Schema;
    expect(Object.keys(definitions.settings.properties)).toEqual(
      expect.arrayContaining(Object.keys(settings)),
    );
  });
});
