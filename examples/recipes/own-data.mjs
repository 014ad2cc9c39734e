/** What a person may see, with the application's own data beside it: docs/recipes/own-data.md. */
import { Ikg } from "@ikg/client";

const { IKG_URL, IKG_CLIENT_KEY } = process.env;
const ikg = new Ikg({ baseUrl: IKG_URL, clientKey: IKG_CLIENT_KEY, timeoutMs: 2_000 });

/** A table of the application: SELECT … FROM aircraft WHERE id = ANY($1), one statement a page. */
const hangar = new Map([
  ["N211", { name: "Spirit of Dakota", seats: 21 }],
  ["N950", { name: "Old Faithful", seats: 4 }],
]);
const rowsOf = async (ids) => ids.map((id) => ({ id, ...hangar.get(id) }));

async function* fleetOf(person) {
  const search = person.resources("FLY", "Aircraft", { params: { min_hours: 100 }, pageSize: 100 });
  for await (const { items } of search.pages()) yield* await rowsOf(items.map(({ id }) => id));
}

for (const id of ["amelia", "louis"]) {
  const rows = [];
  for await (const row of fleetOf(ikg.as({ type: "Pilot", id }))) rows.push(row);
  console.log(id, JSON.stringify(rows));
}
