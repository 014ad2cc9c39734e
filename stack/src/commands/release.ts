/** npm run release -- X.Y.Z: makes a release of the committed tree in dist/X.Y.Z (docs/releasing.md). */
import { say } from "../../launch/progress.mjs";
import { runCommand } from "../command.ts";
import { watchInterruption } from "../interruption.ts";
import { parseReleaseOptions } from "../release/options.ts";
import { release } from "../release/release.ts";

await runCommand(async () => {
  const options = parseReleaseOptions(process.argv.slice(2));
  const { signal } = watchInterruption();
  await release(options, signal, say);
  return 0;
});
