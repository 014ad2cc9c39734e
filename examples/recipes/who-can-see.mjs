/** Who may do something with a resource, and why: docs/recipes/who-can-see.md. */
import { Ikg } from "@ikg/client";

const { IKG_URL, IKG_CLIENT_KEY } = process.env;
const ikg = new Ikg({ baseUrl: IKG_URL, clientKey: IKG_CLIENT_KEY, timeoutMs: 5_000 });

const [id = "N211", hours = "50"] = process.argv.slice(2);
const aircraft = { type: "Aircraft", id };
const params = { min_hours: Number(hours) };

/** The policy that grants, and the path in the graph that it found. */
const reasonOf = async (pilot) => {
  const { context } = await ikg.as(pilot).decide("FLY", aircraft, { params, explain: true });
  const granting = context?.explanation?.candidates.find(({ outcome }) => outcome === "granted");
  const path = granting?.path?.relationships ?? [];
  return [
    granting?.policy.name,
    ...path.map(({ source, type, target }) => `${source.id} ${type} ${target.id}`),
  ];
};

for await (const pilot of ikg.subjects("Pilot", "FLY", aircraft, { params }))
  console.log(`${pilot.id}: ${(await reasonOf(pilot)).join(", ")}`);
