import type { IkgAdmin } from "@ikg/client";
import { type Finding, ok, warning } from "../finding.ts";

/** Without an active policy, all requests are denied. */
export const checkPolicies = async (admin: IkgAdmin): Promise<readonly Finding[]> => {
  const policies = await admin.policies.list({ texts: false });
  const active = policies.filter(({ status }) => status === "ACTIVE").length;
  return [
    active > 0
      ? ok("policies", `${active} of ${policies.length} are active`)
      : warning(
          "policies",
          policies.length === 0
            ? "there are none: all requests are denied"
            : `none of ${policies.length} is active: all requests are denied`,
          policies.length === 0
            ? "ikg apply FOLDER with policies/NAME.yaml (docs/policies-as-code.md)"
            : "ikg update policies NAME --set status=ACTIVE",
        ),
  ];
};
