/** What the tests of the rendered chart share: Helm, values, and what pods get. */
import { beforeAll, describe, expect } from "@jest/globals";
import { type Helm, helmAbsent, prepareHelm } from "../system/helm.ts";
import { isLongRun } from "../testing/test-environment.ts";
import { versions } from "../versions.ts";
import { comparable } from "./comparable.ts";
import { type Rendered, renderChart, renderOverlay, type Values } from "./render.ts";

/** `npm test` takes the current major version; the one before renders the same. */
const releases = isLongRun() ? versions.helm : versions.helm.slice(0, 1);

/** The release of Helm whose tests run. */
export let helm: Helm;

/** Makes a group of tests for each release of Helm. They are skipped where there is none; the name of the group says why. */
export const describeChart = (tests: () => void): void => {
  const absent = helmAbsent();
  const withHelm = absent === undefined ? describe : describe.skip;
  withHelm(`the Helm chart${absent === undefined ? "" : ` (${absent})`}`, () => {
    describe.each(releases.map((release) => [release.version, release] as const))(
      "by Helm %s",
      (_, release) => {
        beforeAll(async () => {
          helm = await prepareHelm(release);
        }, 300_000);

        tests();
      },
    );
  });
};

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

/** Expects of the chart what an overlay makes. */
export const expectOverlay = async (values: Values, overlay: string): Promise<void> => {
  const [made, wanted] = [await renderOnce(helm, values), await renderOverlay(helm, overlay)];
  expect(Object.keys(comparable(wanted)).length).toBeGreaterThan(40);
  expect(comparable(made)).toEqual(comparable(wanted));
};

/** Expects that the schema of the chart refuses values. @param text a part of what Helm says of them */
export const expectRefusal = async (values: object, text: string): Promise<void> => {
  const refusal = await renderOnce(helm, { values }).catch(({ stderr }: { stderr: string }) => stderr);
  expect(refusal).toContain("values don't meet the specifications of the schema");
  expect(refusal).toContain(text);
};

export const kinds = (objects: readonly Rendered[]): ReadonlySet<string> =>
  new Set(objects.map(({ kind }) => kind));

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
