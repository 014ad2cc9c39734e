import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { TextField } from "../../../parts/text-field.tsx";
import { FormButtons, FormDialog } from "../form/form-dialog.tsx";
import { LifetimeFields } from "./lifetime-fields.tsx";
import { defaultLifetime, endOf, type Lifetime } from "./lifetimes.ts";
import { ShownSecret } from "./shown-secret.tsx";

export interface NewKey {
  readonly display_name?: string;
  readonly expire_time?: string;
}

/** What is shown of a new credential, once. */
export interface MadeKey {
  readonly secret: string;
  /** The credential as a file, as clients take it. */
  readonly file: object;
}

interface NewKeyDialogProps {
  /** As "key" or "token". */
  readonly one: string;
  /** Whose it is. */
  readonly owner: string;
  readonly make: (fields: NewKey) => Promise<MadeKey>;
  readonly onClose: () => void;
}

/** Creates a key with a lifetime, and shows it once. */
export const NewKeyDialog = ({ one, owner, make, onClose }: NewKeyDialogProps) => {
  // The secret is kept only in this state, not in the cache of queries.
  const [made, setMade] = useState<MadeKey>();
  const making = useMutation({ mutationFn: async (fields: NewKey) => setMade(await make(fields)) });
  return (
    <FormDialog
      title={made === undefined ? `New ${one} of ${owner}` : `The new ${one} of ${owner}`}
      // The secret is shown only here: closing the dialog would lose it.
      mayClose={made === undefined && !making.isPending}
      onClose={onClose}
    >
      {made === undefined ? (
        <NewKeyForm one={one} making={making} onClose={onClose} />
      ) : (
        <ShownSecret
          secrets={[
            { label: one === "key" ? "Key" : "Token", text: made.secret },
            { label: "Credential file", text: JSON.stringify(made.file, null, 2) },
          ]}
          onDone={onClose}
        />
      )}
    </FormDialog>
  );
};

interface NewKeyFormProps extends Pick<NewKeyDialogProps, "one" | "onClose"> {
  readonly making: Pick<UseMutationResult<void, Error, NewKey>, "mutate" | "isPending" | "isError" | "error">;
}

const NewKeyForm = ({ one, making, onClose }: NewKeyFormProps) => {
  const [name, setName] = useState("");
  const [lifetime, setLifetime] = useState<Lifetime>(defaultLifetime);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const end = endOf(lifetime, Date.now());
    making.mutate({
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
        wrong={undefined}
      />
      <LifetimeFields one={one} lifetime={lifetime} onChange={setLifetime} />
      {making.isError && <ErrorNote error={making.error} title={`The ${one} was not created`} />}
      <FormButtons
        isPending={making.isPending}
        label={`Create ${one}`}
        pendingLabel="Creating…"
        onCancel={onClose}
      />
    </form>
  );
};
