import type { SigningProvider } from "@ikg/contracts";
import type { Database } from "@ikg/graph";
import { quoteName, recordLabel, recordLabels } from "@ikg/physical";
import { type KeyRing, open } from "@ikg/secrets";
import { SigningFault } from "./signer.ts";

/** What names the key that signs for a project. */
export interface SigningConfiguration {
  /** undefined when the project has none, and the platform's key is used. */
  readonly configId: string | undefined;
  readonly version: number;
  readonly provider: SigningProvider;
  readonly keyResource: string | undefined;
  readonly kid: string | undefined;
}

/** The audit signing configuration that is in force for a project. */
export interface ActiveSigning extends SigningConfiguration {
  readonly authParams: Readonly<Record<string, string>>;
}

interface StoredSigning extends SigningConfiguration {
  /** The sealed `auth_params`. */
  readonly sealed: string | undefined;
}

const platform: StoredSigning = {
  configId: undefined,
  version: 0,
  provider: "PLATFORM_MANAGED",
  keyResource: undefined,
  kid: undefined,
  sealed: undefined,
};

const text = [
  `MATCH (r:${recordLabel} {project_id: $project}) WHERE r:${quoteName(recordLabels.audit_signing)}`,
  "RETURN r.id AS id, r.version AS version, r.data AS data ORDER BY r.update_time DESC, r.id DESC LIMIT 1",
].join(" ");

interface StoredData {
  readonly provider: SigningProvider;
  readonly key_resource?: string;
  readonly kid?: string;
  readonly auth_params?: string;
}

/** Of several configurations the one that was updated last; read again for every batch. */
const readStored = async (database: Database, project: string): Promise<StoredSigning> => {
  const [row] = await database.read(text, { project }, { timeoutMs: 30_000 });
  if (row === undefined) return platform;
  const data = JSON.parse(String(row["data"])) as StoredData; // only configs writes these records
  return {
    configId: String(row["id"]),
    version: Number(row["version"]),
    provider: data.provider,
    keyResource: data.key_resource,
    kid: data.kid,
    sealed: data.auth_params,
  };
};

const openAuthParams = (keys: KeyRing, record: string, sealed: string): ActiveSigning["authParams"] => {
  let opened: string;
  try {
    opened = open(keys, { record, field: "auth_params" }, sealed);
  } catch (error) {
    throw new SigningFault("access_denied", "no key opens auth_params", error);
  }
  return JSON.parse(opened) as Record<string, string>; // sealed from pairs of texts
};

/** The configuration without its secrets, which need not open. */
export const signingConfiguration = async (
  database: Database,
  project: string,
): Promise<SigningConfiguration> => {
  const { sealed: _, ...configuration } = await readStored(database, project);
  return configuration;
};

/** @throws SigningFault `access_denied` when no key opens its secrets. */
export const activeSigning = async (
  database: Database,
  keys: KeyRing,
  project: string,
): Promise<ActiveSigning> => {
  const { sealed, ...configuration } = await readStored(database, project);
  const { configId } = configuration;
  const authParams =
    configId === undefined || sealed === undefined ? {} : openAuthParams(keys, configId, sealed);
  return { ...configuration, authParams };
};
