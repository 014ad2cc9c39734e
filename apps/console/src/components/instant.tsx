const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A time in the reader's zone; the title has it in UTC. */
export const Instant = ({ at }: { readonly at: string }) => {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={date.toISOString()} title={date.toISOString()}>
      {local.format(date)}
    </time>
  );
};
