import { readSettings, runService } from "@ikg/service";
import { openAudit } from "./service.ts";
import { AuditSettings } from "./settings.ts";

await runService(() => openAudit(readSettings(AuditSettings)));
