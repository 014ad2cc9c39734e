import { afterAll, beforeAll } from "@jest/globals";
import { type CaptureUnderTest, startCapture, type TestProject } from "./capture-under-test.ts";

export let capture: CaptureUnderTest;

export let project: TestProject;

export const car = (externalId: string, more: object = {}) => ({
  external_id: externalId,
  type: "Car",
  ...more,
});

export const properties = (...pairs: [string, unknown][]) => ({
  properties: pairs.map(([type, value]) => ({ type, value })),
});

/** Gives the tests of a file a running service and a project of their own. */
export const useCars = (): void => {
  beforeAll(async () => {
    capture = await startCapture();
    project = capture.project();
  });
  afterAll(() => capture.close());
};
