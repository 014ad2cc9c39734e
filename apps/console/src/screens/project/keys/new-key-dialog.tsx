import { useMutation } from "@tanstack/react-query";
import { Dialog } from "radix-ui";
import { type FormEvent, useId, useState } from "react";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { TextField } from "../../../parts/text-field.tsx";
import { endOf, lifetimes } from "./lifetimes.ts";
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

/** Makes a key with an end, and shows it once. */
export const NewKeyDialog = ({ one, owner, make, onClose }: NewKeyDialogProps) => {
  // The secret is kept nowhere but here: not in a cache of queries.
  const [made, setMade] = useState<MadeKey>();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && made === undefined && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-overlay" />
        <Dialog.Content
          className="dialog record-dialog"
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
        >
          <Dialog.Title>
            {made === undefined ? `New ${one} of ${owner}` : `The new ${one} of ${owner}`}
          </Dialog.Title>
          {made === undefined ? (
            <NewKeyForm one={one} make={make} onMade={setMade} onClose={onClose} />
          ) : (
            <ShownSecret
              secrets={[
                { label: one === "key" ? "Key" : "Token", text: made.secret },
                { label: "Credential file", text: JSON.stringify(made.file, null, 2) },
              ]}
              onDone={onClose}
            />
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

interface NewKeyFormProps extends Pick<NewKeyDialogProps, "one" | "make" | "onClose"> {
  readonly onMade: (made: MadeKey) => void;
}

const NewKeyForm = ({ one, make, onMade, onClose }: NewKeyFormProps) => {
  const [name, setName] = useState("");
  const [lifetime, setLifetime] = useState("quarter");
  const [until, setUntil] = useState("");
  const id = useId();
  const making = useMutation({
    mutationFn: async () => {
      const end = endOf(lifetime, until, Date.now());
      onMade(
        await make({
          ...(name.trim() !== "" && { display_name: name.trim() }),
          ...(end !== undefined && { expire_time: end }),
        }),
      );
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    making.mutate();
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
      <div className="field">
        <label htmlFor={id}>Valid for</label>
        <select id={id} value={lifetime} onChange={(event) => setLifetime(event.target.value)}>
          {lifetimes.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {lifetime === "until" && (
        <div className="field">
          <label htmlFor={`${id}-day`}>Last day</label>
          <input
            id={`${id}-day`}
            type="date"
            required
            value={until}
            onChange={(event) => setUntil(event.target.value)}
          />
        </div>
      )}
      {lifetime === "always" && (
        <p className="hint">A {one} without an end is valid until it is removed. Prefer one that ends.</p>
      )}
      {making.isError && <ErrorNote error={making.error} title={`No ${one} was made`} />}
      <div className="row end dialog-foot">
        <button type="button" className="button" disabled={making.isPending} onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={making.isPending}>
          {making.isPending ? "Making it…" : `Make the ${one}`}
        </button>
      </div>
    </form>
  );
};
