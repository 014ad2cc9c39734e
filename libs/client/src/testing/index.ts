/** A project of one's own on a running suite, for the tests of an application. Needs Node, Bun or Deno. */
export { createTestProject, type TestProject, type TestProjectOptions } from "./test-project.ts";
export type { TestGraph, TestQuery } from "./sources.ts";
