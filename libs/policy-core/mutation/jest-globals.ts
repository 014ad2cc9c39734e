/** What the tests take from Jest, on top of Mocha, which tries thousands of mutants in one process. */
import { bind } from "jest-each";

export { expect } from "expect";

/** Time limits are Stryker's own here, so that the third argument is dropped. */
type Block = (name: string, body: () => unknown, timeLimitMs?: number) => void;

/** Mocha's functions, which are global while it runs. */
const mocha = globalThis as unknown as {
  readonly describe: (name: string, body: () => unknown) => void;
  readonly it: ((name: string, body: () => unknown) => void) & { readonly skip: (name: string) => void };
  readonly after: (body: () => unknown) => void;
};

const group: Block = (name, body) => mocha.describe(name, body);
const test: Block = (name, body) => mocha.it(name, body);

export const describe = Object.assign(group, { each: bind(group, false) });
export const it = Object.assign(test, {
  each: bind(test, false),
  skip: (name: string): void => mocha.it.skip(name),
});
export const afterAll = (body: () => unknown): void => mocha.after(body);
