import { expect, it } from "@jest/globals";
import { run } from "./run.ts";

const options = { cwd: process.cwd(), signal: new AbortController().signal };
const runScript = (script: string): Promise<string> => run(process.execPath, ["-e", script], options);

it("has characters of several bytes that come in two chunks", async () => {
  const script = `
    const [first, second] = Buffer.from("é");
    process.stdout.write(Buffer.from([first]));
    setTimeout(() => process.stdout.write(Buffer.from([second])), 100);
  `;
  await expect(runScript(script)).resolves.toBe("é");
});

it("fails with the last lines of the program", async () => {
  await expect(runScript("console.error('no disk'); process.exit(3)")).rejects.toThrow(/ failed\.\nno disk$/);
});
