/** An overlay with a component of `k8s/components`, as an operator puts it together. */
import { withKustomization } from "./with-kustomization.ts";

/** Lends a folder for kustomize to `work`. */
export const withComponent = <T>(
  overlay: string,
  component: "private-ca" | "internal-tls" | "neo4j-users",
  work: (folder: string) => Promise<T>,
): Promise<T> =>
  withKustomization(
    (from) => ({ resources: [from(overlay)], components: [from(`k8s/components/${component}`)] }),
    work,
  );
