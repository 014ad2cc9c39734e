/** Which buttons of a page a person sees, by one request: docs/recipes/buttons.md. */
import { Ikg } from "@ikg/client";

const { IKG_URL, IKG_CLIENT_KEY } = process.env;
const ikg = new Ikg({ baseUrl: IKG_URL, clientKey: IKG_CLIENT_KEY, timeoutMs: 2_000 });

/** An undecided button is not shown. */
const hidden = (error) => {
  console.error(`not decided: ${error.message}`);
  return false;
};

const flyButtons = (person, fleet) =>
  Promise.all(
    fleet.map(async (id) => {
      const question = person.can("FLY", { type: "Aircraft", id }, { params: { min_hours: 100 } });
      return { id, fly: await question.catch(hidden) };
    }),
  );

for (const id of ["amelia", "louis"]) {
  const buttons = await flyButtons(ikg.as({ type: "Pilot", id }), ["N211", "N950"]);
  console.log(id, buttons.map(({ id, fly }) => `${id}: ${fly ? "[Fly]" : "-"}`).join(", "));
}
