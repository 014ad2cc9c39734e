/** What the component for TLS between services adds: certificates, and what listens with them. */
import { parse } from "yaml";
import { containerIn, literalsOf, readKustomization, treeAt } from "./manifests.ts";
import { Expression, isTree, type Node, type Tree, within } from "./template.ts";

const folder = "components/internal-tls";

/** `server`: it listens with TLS; `client`: it shows its certificate to those that it calls. */
type Role = "server" | "client";

/** Variables, mounts and volumes where values turn it on, and the objects of services that listen with TLS. */
export interface InternalTls {
  readonly env: Node;
  readonly volumeMounts: Node;
  readonly volumes: Node;
  /** The probes of a container as the kubelet sends them. */
  readonly probes: (container: Tree) => Tree;
  readonly appProtocol: Node;
}

/** Sets a variable of the template of services: the role of the service, or nothing where it has none or values do not turn it on. */
export const internalTlsVariable = `{{- $internalTls := ternary ($own.internalTls | default "") "" $.Values.internalTls.enabled }}`;
const isServer = 'eq $internalTls "server"';

const whenEnabled = (content: Node): Node => within("if .Values.internalTls.enabled", content);
const whenDisabled = (content: Node): Node => within("if not .Values.internalTls.enabled", content);

interface ContainerPatch {
  readonly services: readonly string[];
  readonly container: Tree;
}

/**
 * The patch that gives services their certificates, and the one that changes the probes of those that listen.
 *
 * @throws Error where the component has others: the chart would not have them
 */
const readPatches = (): Readonly<Record<"certificates" | "probes", ContainerPatch>> => {
  const patches = (readKustomization(folder).patches ?? []).flatMap(({ target, patch = "" }) => {
    const tree = parse(patch) as Node; // ours
    if (target?.kind !== "Deployment" || !isTree(tree)) return [];
    const container = containerIn(treeAt(tree, "spec", "template", "spec"));
    return [{ services: target.name?.split("|") ?? [], container }];
  });
  const certificates = patches.find(({ container }) => "env" in container);
  const probes = patches.find(({ container }) => "readinessProbe" in container);
  if (certificates === undefined || probes === undefined || patches.length !== 2)
    throw new Error(`k8s/${folder} has other patches than the chart knows`);
  return { certificates, probes };
};

/** @returns undefined for a service that neither listens with TLS nor calls others */
export const internalTlsRole = (service: string): Role | undefined => {
  const { certificates, probes } = readPatches();
  if (!certificates.services.includes(service)) return undefined;
  return probes.services.includes(service) ? "server" : "client";
};

export const readInternalTls = (): InternalTls => {
  const { certificates, probes } = readPatches();
  const { env = [], volumeMounts = [] } = certificates.container;
  const { name: _name, ...patched } = probes.container;
  const withRole = (content: Node): Node => within("if $internalTls", content);
  const secretName = new Expression('$service.internalTls.secret | default (printf "%s-tls" $name)');
  return {
    env: withRole(env),
    volumeMounts: withRole(volumeMounts),
    volumes: withRole([{ name: "internal-tls", secret: { secretName } }]),
    probes: (container) =>
      Object.fromEntries(
        Object.keys(patched).map((key) => {
          const probe = treeAt(container, key);
          const httpGet = {
            ...treeAt(probe, "httpGet"),
            ...within(`if ${isServer}`, treeAt(patched, key, "httpGet")),
          };
          return [key, { ...probe, httpGet }];
        }),
      ),
    appProtocol: new Expression(`ternary "https" "http" (${isServer})`),
  };
};

/** Settings of all services; what values say of one wins. */
export const internalTlsSettings = (): Tree =>
  Object.assign(
    {},
    ...Object.entries(literalsOf(folder, "settings")).map(([name, value]) =>
      within(`if and .Values.internalTls.enabled (not (hasKey .Values.settings "${name}"))`, {
        [name]: value,
      }),
    ),
  ) as Tree;

/** The addresses of services, with TLS and without. */
export const upstreamAddresses = (): Tree => ({
  ...(whenEnabled(literalsOf(folder, "upstreams")) as Tree),
  ...(whenDisabled(literalsOf("base", "upstreams")) as Tree),
});
