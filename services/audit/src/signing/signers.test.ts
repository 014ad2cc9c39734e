import { expect, it } from "@jest/globals";
import type { ActiveSigning } from "./active-signing.ts";
import { openAwsKms } from "./providers/aws-kms.ts";
import { openAzureKeyVault } from "./providers/azure-key-vault.ts";
import type { Signer } from "./signer.ts";
import { type OpenSigner, signersBy } from "./signers.ts";

const signer = { close: () => undefined } as unknown as Signer; // all that is used
const unused: OpenSigner = () => Promise.reject(new Error("not used"));
const active: ActiveSigning = {
  configId: "gid:config",
  version: 1,
  provider: "CUSTOMER_AWS_KMS",
  keyResource: "arn",
  kid: "k",
  authParams: {},
};
const signersWith = (open: OpenSigner) =>
  signersBy(signer, {
    CUSTOMER_AWS_KMS: open,
    CUSTOMER_GCP_KMS: unused,
    CUSTOMER_AZURE_KEY_VAULT: unused,
  });

it("fails to sign, and does not quote the error, where a provider's library cannot be opened", async () => {
  let opened = 0;
  const signers = signersWith(async () => {
    opened += 1;
    if (opened === 1) throw new RangeError("the secret s3cr3t is too long");
    return signer;
  });
  await expect(signers.of(active, "p")).rejects.toMatchObject({
    name: "SigningFault",
    reason: "unavailable",
    message: "CUSTOMER_AWS_KMS cannot be opened: RangeError",
  });
  signers.renew("p");
  await signers.of(active, "p");
  expect(opened).toBe(2);
  signers.close();
});

it("fails to sign with a tenant of Azure that is none", async () => {
  const open = openAzureKeyVault({ hostSuffixes: [], authorityHost: undefined });
  const authParams = { tenant_id: "my tenant", client_id: "c", client_secret: "s" };
  const keyResource = "https://v.vault.azure.net/keys/k/1";
  await expect(open({ ...active, keyResource, authParams })).rejects.toMatchObject({
    name: "SigningFault",
    reason: "access_denied",
  });
});

it("fails to sign with a region of AWS that would be another host", async () => {
  const open = openAwsKms({ kmsEndpoint: undefined, stsEndpoint: undefined });
  for (const region of ["", "internal.example/#", "eu-west-1.internal.example", "u@h"])
    await expect(open({ ...active, authParams: { region } }, "p")).rejects.toMatchObject({
      name: "SigningFault",
      reason: "not_found",
    });
});
