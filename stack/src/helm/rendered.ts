/** What the tests of the rendered chart share: values, and what pods get. */
import type { Helm } from "../system/helm.ts";
import { isLongRun } from "../testing/test-environment.ts";
import { versions } from "../versions.ts";
import { comparable } from "./comparable.ts";
import { type Rendered, renderChart, type Values } from "./render.ts";

/** `npm test` takes the current major version; the one before renders the same. */
export const releases = isLongRun() ? versions.helm : versions.helm.slice(0, 1);

export const local: Values = { files: ["examples/local.yaml"] };
/** With the registry of the overlay, as the comment of the example shows it. */
export const production: Values = {
  files: ["examples/production.yaml"],
  values: { image: { registry: "registry.example.com" } },
};

const renders = new Map<string, Promise<readonly Rendered[]>>();

/** As `renderChart`, once for the same values: several tests look at them. */
export const renderOnce = (
  helm: Helm,
  { files = [], values = {} }: Values = {},
): Promise<readonly Rendered[]> => {
  const key = JSON.stringify([helm.version, files, values]);
  const render = renders.get(key) ?? renderChart(helm, { files, values });
  renders.set(key, render);
  return render;
};

/** The variables that the pods of a service get. */
export const environmentOf = (
  objects: readonly Rendered[],
  service: string,
): Readonly<Record<string, unknown>> => {
  const deployment = comparable(objects)[`Deployment ${service}`] as {
    readonly spec: { readonly template: { readonly spec: { readonly containers: readonly object[] } } };
  };
  return Reflect.get(deployment.spec.template.spec.containers[0] ?? {}, "environment") as Record<
    string,
    unknown
  >;
};

export const imageOf = (objects: readonly Rendered[], kind: string, name: string): unknown => {
  const found = objects.find((each) => each.kind === kind && each.metadata.name === name);
  const spec = found?.spec as { template: { spec: { containers: { image: string }[] } } } | undefined; // a workload
  return spec?.template.spec.containers[0]?.image;
};
