import { afterAll, describe, expect, it } from "@jest/globals";
import { blocks, folder, paste } from "../../src/documentation/pasted.ts";

afterAll(() => void paste("node examples/airfield/airfield.mjs remove"));

describe("README, both walk-throughs", () => {
  it("work as written when pasted line by line", () => {
    const answers = paste(
      blocks("README.md", "A first decision", "Users, applications and step-up authentication"),
    );
    expect(answers).toEqual([
      `. ${folder}/airfield.env`,
      "Pilot/amelia FLY Aircraft/N211: granted",
      "└─ may-fly (version 1) grants",
      "   └─ Pilot/amelia ─RATED_FOR→ Model/dc3 ←IS─ Aircraft/N211",
      '{"decision":true}',
      '{"decision":false}',
      '{"results":[{"type":"Aircraft","id":"N211"}]}',
      '{"data":[{"nodes":{"pilot.external_id":"amelia","pilot.property.hours":1200}},{"nodes":{"pilot.external_id":"louis","pilot.property.hours":80}}]}',
      '{"data":[{"nodes":{"subject.external_id":"amelia","subject.property.hours":1200,"model.external_id":"dc3"}}]}',
      '{"message":"Please sign in again."}401 Bearer error="insufficient_user_authentication", error_description="Please sign in again.", max_age="300"',
      '{"data":[{"nodes":{"agreement.external_id":"A-17","agreement.property.hours":20,"pilot.external_id":"amelia"}}]}',
      '{"data":[]}',
    ]);
  }, 180_000);
});
