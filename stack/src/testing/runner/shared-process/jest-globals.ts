/**
 * What tests import from `@jest/globals`, on top of Mocha: unit tests run in processes that load every module once, and
 * Stryker tries thousands of mutants in it.
 */
import { bind } from "jest-each";

export { expect } from "expect";

type Body = () => unknown;
type Block = (name: string, body: Body, timeLimitMs?: number) => void;
type Hook = (body: Body, timeLimitMs?: number) => void;

interface Limited {
  timeout(ms: number): unknown;
}

/** Mocha's functions, which are global while it runs. */
const mocha = globalThis as unknown as {
  readonly describe: ((name: string, body: Body) => Limited) & {
    readonly skip: (name: string, body: Body) => void;
  };
  readonly it: ((name: string, body: Body) => Limited) & { readonly skip: (name: string) => void };
  readonly before: (body: (this: Limited) => unknown) => void;
  readonly beforeEach: (body: (this: Limited) => unknown) => void;
  readonly after: (body: (this: Limited) => unknown) => void;
  readonly afterEach: (body: (this: Limited) => unknown) => void;
};

/** Whether the group that is being described has a group already. */
let hasGroup = false;

/** Called before a file is loaded. */
export const beginFile = (): void => void (hasGroup = false);

const group: Block = (name, body) => {
  mocha.describe(name, () => {
    hasGroup = false;
    body();
  });
  hasGroup = true;
};

/** Mocha runs the tests of a group before the groups in it: a test that is written after a group gets one of its own. */
const inOrder = (make: () => void): void => (hasGroup ? void mocha.describe("", make) : make());

const test: Block = (name, body, timeLimitMs) =>
  inOrder(() => {
    const made = mocha.it(name, body);
    if (timeLimitMs !== undefined) made.timeout(timeLimitMs);
  });
/** @param register resolved when it is called: Mocha's functions are not there before it runs */
const hook =
  (register: (body: (this: Limited) => unknown) => void): Hook =>
  (body, timeLimitMs) =>
    register(function run() {
      if (timeLimitMs !== undefined) this.timeout(timeLimitMs);
      return body();
    });

export const describe = Object.assign(group, {
  each: bind(group, false),
  skip: (name: string, body: Body): void => mocha.describe.skip(name, body),
});
export const it = Object.assign(test, {
  each: bind(test, false),
  skip: (name: string): void => mocha.it.skip(name),
});
export const beforeAll = hook((body) => mocha.before(body));
export const beforeEach = hook((body) => mocha.beforeEach(body));
export const afterAll = hook((body) => mocha.after(body));
export const afterEach = hook((body) => mocha.afterEach(body));
