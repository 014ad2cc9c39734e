import { readSettings, runService } from "@ikg/service";
import { openConfigs } from "./service.ts";
import { ConfigsSettings } from "./settings.ts";

await runService(async () => {
  const service = await openConfigs(readSettings(ConfigsSettings));
  await service.listen();
});
