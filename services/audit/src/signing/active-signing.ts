import type { SigningProvider } from "@ikg/contracts";
import type { Database } from "@ikg/graph";
import { quoteName, recordLabels } from "@ikg/physical";
import { type KeyRing, open } from "@ikg/secrets";

/** The audit signing configuration that is in force for a project. */
export interface ActiveSigning {
  /** undefined when the project has none, and the platform's key is used. */
  readonly configId: string | undefined;
  readonly version: number;
  readonly provider: SigningProvider;
  readonly keyResource: string | undefined;
  readonly kid: string | undefined;
  readonly authParams: Readonly<Record<string, string>>;
}

const platform: ActiveSigning = {
  configId: undefined,
  version: 0,
  provider: "PLATFORM_MANAGED",
  keyResource: undefined,
  kid: undefined,
  authParams: {},
};

const text = [
  `MATCH (r:_Record {project_id: $project}) WHERE r:${quoteName(recordLabels.audit_signing)}`,
  "RETURN r.id AS id, r.version AS version, r.data AS data ORDER BY r.update_time DESC, r.id DESC LIMIT 1",
].join(" ");

interface StoredData {
  readonly provider: SigningProvider;
  readonly key_resource?: string;
  readonly kid?: string;
  /** Sealed. */
  readonly auth_params?: string;
}

/** Of several configurations the one that was updated last; read again for every batch. */
export const activeSigning = async (
  database: Database,
  keys: KeyRing,
  project: string,
): Promise<ActiveSigning> => {
  const [row] = await database.read(text, { project }, { timeoutMs: 30_000 });
  if (row === undefined) return platform;
  const configId = String(row["id"]);
  const data = JSON.parse(String(row["data"])) as StoredData; // only configs writes these records
  return {
    configId,
    version: Number(row["version"]),
    provider: data.provider,
    keyResource: data.key_resource,
    kid: data.kid,
    authParams:
      data.auth_params === undefined
        ? {}
        : (JSON.parse(open(keys, { record: configId, field: "auth_params" }, data.auth_params)) as Record<
            string,
            string
          >), // sealed from pairs of texts
  };
};
