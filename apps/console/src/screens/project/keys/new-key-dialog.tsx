import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { TextField } from "../../../parts/text-field.tsx";
import { FormButtons, FormDialog } from "../form/form-dialog.tsx";
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
    <FormDialog
      title={made === undefined ? `New ${one} of ${owner}` : `The new ${one} of ${owner}`}
      mayClose={made === undefined}
      onClose={onClose}
    >
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
    </FormDialog>
  );
};

interface NewKeyFormProps extends Pick<NewKeyDialogProps, "one" | "make" | "onClose"> {
  readonly onMade: (made: MadeKey) => void;
}

const NewKeyForm = ({ one, make, onMade, onClose }: NewKeyFormProps) => {
  const [name, setName] = useState("");
  const [lifetime, setLifetime] = useState("quarter");
  const [until, setUntil] = useState("");
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
      <LifetimeFields
        one={one}
        lifetime={lifetime}
        onLifetime={setLifetime}
        until={until}
        onUntil={setUntil}
      />
      {making.isError && <ErrorNote error={making.error} title={`No ${one} was made`} />}
      <FormButtons
        isPending={making.isPending}
        label={`Make the ${one}`}
        pendingLabel="Making it…"
        onCancel={onClose}
      />
    </form>
  );
};

interface LifetimeFieldsProps {
  readonly one: string;
  readonly lifetime: string;
  readonly onLifetime: (lifetime: string) => void;
  readonly until: string;
  readonly onUntil: (until: string) => void;
}

const LifetimeFields = ({ one, lifetime, onLifetime, until, onUntil }: LifetimeFieldsProps) => {
  const id = useId();
  return (
    <>
      <div className="field">
        <label htmlFor={id}>Valid for</label>
        <select id={id} value={lifetime} onChange={(event) => onLifetime(event.target.value)}>
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
            onChange={(event) => onUntil(event.target.value)}
          />
        </div>
      )}
      {lifetime === "always" && (
        <p className="hint">A {one} without an end is valid until it is removed. Prefer one that ends.</p>
      )}
    </>
  );
};
