import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ErrorNote } from "../../../components/error-note.tsx";
import { TextField } from "../../../fields/text-field.tsx";
import { FormButtons, FormDialog } from "../form/form-dialog.tsx";
import { LifetimeFields } from "./lifetime-fields.tsx";
import { defaultLifetime, endOf, type Lifetime } from "./lifetimes.ts";
import { ShownSecret } from "./shown-secret.tsx";

export interface NewKey {
  readonly display_name?: string;
  readonly expire_time?: string;
}

/** What is shown of a new credential, once. */
export interface NewCredential {
  readonly secret: string;
  /** The credential as a file, as clients take it. */
  readonly file: object;
}

interface NewKeyDialogProps {
  /** As "key" or "token". */
  readonly noun: string;
  /** Whose it is. */
  readonly owner: string;
  readonly create: (fields: NewKey) => Promise<NewCredential>;
  readonly onClose: () => void;
}

/** Creates a key with a lifetime, and shows it once. */
export const NewKeyDialog = ({ noun, owner, create, onClose }: NewKeyDialogProps) => {
  // The secret is kept only in this state, not in the cache of queries.
  const [credential, setCredential] = useState<NewCredential>();
  const creation = useMutation({ mutationFn: async (fields: NewKey) => setCredential(await create(fields)) });
  return (
    <FormDialog
      title={credential === undefined ? `New ${noun} of ${owner}` : `The new ${noun} of ${owner}`}
      // The secret is shown only here: closing the dialog would lose it.
      mayClose={credential === undefined && !creation.isPending}
      onClose={onClose}
    >
      {credential === undefined ? (
        <NewKeyForm noun={noun} creation={creation} onClose={onClose} />
      ) : (
        <ShownSecret
          secrets={[
            { label: noun === "key" ? "Key" : "Token", text: credential.secret },
            { label: "Credential file", text: JSON.stringify(credential.file, null, 2) },
          ]}
          onDone={onClose}
        />
      )}
    </FormDialog>
  );
};

interface NewKeyFormProps extends Pick<NewKeyDialogProps, "noun" | "onClose"> {
  readonly creation: Pick<
    UseMutationResult<void, Error, NewKey>,
    "mutate" | "isPending" | "isError" | "error"
  >;
}

const NewKeyForm = ({ noun, creation, onClose }: NewKeyFormProps) => {
  const [name, setName] = useState("");
  const [lifetime, setLifetime] = useState<Lifetime>(defaultLifetime);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const end = endOf(lifetime, Date.now());
    creation.mutate({
      ...(name.trim() !== "" && { display_name: name.trim() }),
      ...(end !== undefined && { expire_time: end }),
    });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label="What it is for"
        value={name}
        onChange={setName}
        placeholder="production, server 1"
        error={undefined}
      />
      <LifetimeFields noun={noun} lifetime={lifetime} onChange={setLifetime} />
      {creation.isError && <ErrorNote error={creation.error} title={`The ${noun} was not created`} />}
      <FormButtons
        isPending={creation.isPending}
        label={`Create ${noun}`}
        pendingLabel="Creating…"
        onCancel={onClose}
      />
    </form>
  );
};
