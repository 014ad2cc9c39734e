import type { Administrator } from "@ikg/client";
import { Dialog } from "radix-ui";
import { PlainText } from "../components/plain-text.tsx";
import { administratorName } from "./administrator-name.ts";
import { ProviderSignIn } from "./provider/provider-sign-in.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { signOut } from "./sign-in.ts";

/** Asks to sign in again, above the screen whose drafts are kept. */
export const SignInDialog = ({ administrator }: { readonly administrator: Administrator }) => (
  <Dialog.Root open>
    <Dialog.Portal>
      <Dialog.Overlay className="dialog-overlay" />
      <Dialog.Content
        className="dialog"
        onEscapeKeyDown={(event) => event.preventDefault()}
        onInteractOutside={(event) => event.preventDefault()}
      >
        <Dialog.Title>Sign in again</Dialog.Title>
        <Dialog.Description>
          The credential of <PlainText text={administratorName(administrator)} /> has expired or was revoked.
          What you have typed is kept.
        </Dialog.Description>
        <ProviderSignIn />
        <SignInForm />
        <button type="button" className="button quiet" onClick={signOut}>
          Sign out and discard what I have typed
        </button>
      </Dialog.Content>
    </Dialog.Portal>
  </Dialog.Root>
);
