/** What the component for certificate authorities of one's own gives to the services. */
import type { ClusterObject } from "./network.ts";

interface PodTemplate {
  readonly template: {
    readonly spec: {
      readonly containers: readonly {
        readonly env: readonly { readonly name: string; readonly value?: string }[];
        readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
      }[];
      readonly volumes: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[];
    };
  };
}

/** The Deployments whose Node does not read the authorities, or finds none where it looks. */
export const withoutPrivateCa = (objects: readonly ClusterObject[]): readonly string[] =>
  objects
    .filter(({ kind }) => kind === "Deployment")
    .filter(({ spec }) => {
      // The API server has taken it.
      const { containers, volumes } = (spec as PodTemplate).template.spec;
      const file = containers[0]?.env.find(({ name }) => name === "NODE_EXTRA_CA_CERTS")?.value;
      const mount = containers[0]?.volumeMounts.find(({ name }) => name === "ca")?.mountPath;
      const source = volumes.find(({ name }) => name === "ca")?.configMap?.name;
      return file !== `${mount}/ca.crt` || source !== "ikg-ca";
    })
    .map(({ metadata: { name } }) => name);
