/** Prints an import of N pilots who all know the first one (docs/imports.md): node many-pilots.mjs N */
const count = Number(process.argv[2] ?? 10);
const pilot = (number) => ({ external_id: `p${number}`, type: "Pilot" });

for (let number = 1; number <= count; number++) {
  const node = { ...pilot(number), properties: [{ type: "hours", value: number }] };
  const relationship = { source: pilot(number), type: "KNOWS", target: pilot(1) };
  process.stdout.write(`${JSON.stringify({ node })}\n${JSON.stringify({ relationship })}\n`);
}
