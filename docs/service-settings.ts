/** The settings of each service. */
import type { z } from "zod";
import { AccessSettings } from "../services/access/src/settings.ts";
import { AuditSettings } from "../services/audit/src/settings.ts";
import { CaptureSettings } from "../services/capture/src/settings.ts";
import { CiqSettings } from "../services/ciq/src/settings.ts";
import { ConfigsSettings } from "../services/configs/src/settings.ts";
import { GatewaySettings } from "../services/gateway/src/settings.ts";
import { McpSettings } from "../services/mcp/src/settings.ts";
import { TrustScorerSettings } from "../services/trust-scorer/src/settings.ts";

export const serviceSettings: Readonly<Record<string, z.ZodObject>> = {
  access: AccessSettings,
  audit: AuditSettings,
  capture: CaptureSettings,
  ciq: CiqSettings,
  configs: ConfigsSettings,
  gateway: GatewaySettings,
  mcp: McpSettings,
  "trust-scorer": TrustScorerSettings,
};
