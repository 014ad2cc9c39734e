import { expect, it } from "@jest/globals";
import { Validator } from "@seriousme/openapi-schema-validator";
import { send } from "../../src/requests/send.ts";

it("the document of the gateway is valid by the schema of OpenAPI", async () => {
  const { body } = await send("/openapi.json");
  const result = await new Validator().validate(body as never); // whatever it is: the validator judges it
  expect(result).toMatchObject({ valid: true });
});
