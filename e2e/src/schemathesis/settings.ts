/** The configuration file of schemathesis (https://schemathesis.readthedocs.io/en/stable/reference/configuration/). */
import { fileURLToPath } from "node:url";

/** Names of the environment variables that hold the credentials: the file has only their names. */
export const clientKeyVariable = "IKG_CLIENT_KEY";
export const serviceAccountVariable = "IKG_SERVICE_ACCOUNT_TOKEN";
export const userTokenVariable = "IKG_USER_TOKEN";

/** Gids that requests name, most of the time: in the path of some operations, or under the name of a parameter. */
export interface Known {
  readonly inPathOf: readonly (readonly [operations: readonly string[], gid: string])[];
  readonly named: Readonly<Record<string, string>>;
}

/** The rest of the requests name what there is not. */
const probability = 0.8;

const dictionary = (name: string, gid: string): string =>
  `[dictionaries.${name}]\nvalues = [${JSON.stringify(gid)}]\n`;
const drawnFrom = (name: string): string => `{ dictionary = "${name}", probability = ${probability} }`;

const namedSettings = (named: Known["named"]): readonly string[] => [
  ...Object.entries(named).map(([name, gid]) => dictionary(name, gid)),
  "[parameters]",
  ...Object.keys(named).flatMap((name) =>
    ["query", "body"].map((place) => `"${place}.${name}" = ${drawnFrom(name)}`),
  ),
];

const pathSettings = (inPathOf: Known["inPathOf"]): readonly string[] =>
  inPathOf.flatMap(([operations, gid], n) => [
    dictionary(`path_${n}`, gid),
    "[[operations]]",
    `include-operation-id = ${JSON.stringify(operations)}`,
    `parameters = { "path.id" = ${drawnFrom(`path_${n}`)} }`,
  ]);

const calledLikeRecords = [
  "/capture/v1/nodes/delete",
  "/configs/v1/authorization-policies/validate",
  "/configs/v1/knowledge-queries/validate",
];

/** TOML. */
export const settingsFor = ({ inPathOf, named }: Known): string =>
  [
    `hooks = ${JSON.stringify(fileURLToPath(new URL("serializers.py", import.meta.url)))}`,
    // An operation that is nothing but refused has not been tried.
    'warnings.fail-on = ["missing_auth"]',
    "[auth.openapi.clientKey]",
    `api_key = "\${${clientKeyVariable}}"`,
    "[auth.openapi.serviceAccount]",
    `bearer = "\${${serviceAccountVariable}}"`,
    "[auth.openapi.userToken]",
    `bearer = "\${${userTokenVariable}}"`,
    // Every check but one: that a text is a policy, or a gid one of this project, is said by rules that no schema can
    // say, so that what fits the schema may well be refused.
    "[checks]",
    "positive_data_acceptance.enabled = false",
    // What lists answer would be deleted, with the agent and the account that ask.
    ...["coverage", "fuzzing"].flatMap((phase) => [
      `[phases.${phase}.extra-data-sources]`,
      "responses = false",
    ]),
    ...namedSettings(named),
    ...pathSettings(inPathOf),
    // Its body is a text, and so is everything that is sent: lines that are none are rejected one by one, afterwards.
    "[[operations]]",
    'include-operation-id = "create_import"',
    "checks.negative_data_rejection.enabled = false",
    // A record may be called like the last part of these paths, whose `Allow` names the methods of the record, too.
    "[[operations]]",
    `include-path = ${JSON.stringify(calledLikeRecords)}`,
    "checks.unsupported_method.enabled = false",
    "checks.allow_header_conformance.enabled = false",
    // An import that has ended is not cancelled any more, 409: there may be none that can be.
    "[[operations]]",
    'include-operation-id = "cancel_import"',
    "warnings.fail-on = false",
    "",
  ].join("\n");
