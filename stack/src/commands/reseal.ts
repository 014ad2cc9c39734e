/** npm run reseal: seals the secrets of all records with the current key (docs/api.md, "Secrets"). */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { runCommand } from "../command.ts";
import { inRepository } from "../repository.ts";

await runCommand(async () => {
  const program = inRepository("services", "configs", "src", "reseal.ts");
  const child = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: "inherit" });
  // Ctrl-C reaches the child as well; it ends in order and says what is left.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
});
