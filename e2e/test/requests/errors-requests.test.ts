import { expect } from "@jest/globals";
import {
  parents,
  question,
  thing,
  nodes,
  relationships,
  evaluation,
  search,
  execute,
  withKey,
  post,
  starting,
  bad,
  onDataPlane,
  unknownProject,
  useErrorProject,
  describeRows,
} from "../../src/fixtures/error-cases.ts";
import { freshName } from "../../src/fresh-name.ts";
import { configs } from "../../src/requests/configs.ts";
import type { Refusal } from "../../src/requests/envelope.ts";
import { send, type Sending } from "../../src/requests/send.ts";

/**
 * 400, 405 and 413 of docs/errors.md through the gateway, with exactly their envelopes: requests of a wrong form, method
 * or size.
 */
const taken = freshName("taken");

useErrorProject();

const tooLarge: Refusal = { status: 413, message: "Content Too Large" };
const large = (mebibytes: number): Sending => ({ raw: `{"x":"${"x".repeat(mebibytes * 1024 * 1024)}"}` });

describeRows([
  [
    "400: Body is not JSON or not an object",
    [
      ["text on the data plane", () => onDataPlane({ raw: "{" }), bad([expect.any(String)])],
      ["a list on the data plane", () => onDataPlane({ raw: "[]" }), bad([expect.any(String)])],
      ["text on /configs", () => configs("/projects", { raw: "no JSON" }), bad([expect.any(String)])],
      ["null on /configs", () => configs("/applications", { raw: "null" }), bad([expect.any(String)])],
      [
        "another content type",
        () => onDataPlane({ raw: "{}", headers: { "Content-Type": "text/plain" } }),
        bad([expect.any(String)]),
      ],
    ],
  ],
  [
    "400: query parameter missing or of the wrong form",
    [
      [
        "a name without its project",
        () => configs(`/applications/${taken}`),
        bad(["project_id: required to read by name"]),
      ],
      [
        "a project that is no gid",
        () => configs("/applications?project_id=x"),
        bad([starting("project_id: ")]),
      ],
      [
        "a version that is no integer",
        () => configs(`/applications/${parents.applicationId}?version=x`),
        bad([starting("version: ")]),
      ],
      [
        "a type of policies that there is not",
        () => configs("/authorization-policies?type=x"),
        bad([starting("type: ")]),
      ],
      [
        "two parents that differ",
        () => configs(`/applications/${taken}?project_id=${parents.projectId}&location=${unknownProject()}`),
        bad([expect.any(String)]),
      ],
    ],
  ],
  [
    "400: On /capture, /access, /ciq also: schema violation (required field, type, length, batch size)",
    [
      ["a required field of capture", () => post(nodes, {}), bad([starting("nodes: ")])],
      [
        "a type of capture",
        () => post(nodes, { nodes: [{ ...thing, external_id: 5 }] }),
        bad([starting("nodes[0].external_id: ")]),
      ],
      [
        "a length of capture",
        () => post(nodes, { nodes: [{ ...thing, external_id: "x".repeat(257) }] }),
        bad([starting("nodes[0].external_id: ")]),
      ],
      ["a batch of none", () => post(nodes, { nodes: [] }), bad([starting("nodes: ")])],
      [
        "a batch of 251",
        () => post(nodes, { nodes: Array.from({ length: 251 }, () => thing) }),
        bad([starting("nodes: ")]),
      ],
      [
        "a batch of no relationships",
        () => post(relationships, { relationships: [] }),
        bad([starting("relationships: ")]),
      ],
      [
        "every fault of a body at once",
        () => post(nodes, { nodes: [{ external_id: "x" }, thing, { ...thing, type: "T" }] }),
        bad([starting("nodes[0].type: "), starting("nodes[2].type: ")]),
      ],
      [
        "a required field of access",
        () => post(evaluation, { ...question, subject: { type: "Person" } }),
        bad([starting("subject.id: ")]),
      ],
      ["a type of access", () => post(search, { ...question, action: 5 }), bad([starting("action: ")])],
      [
        "a length of access",
        () => post(evaluation, { ...question, subject: { type: "P".repeat(65), id: "x" } }),
        bad([starting("subject.type: ")]),
      ],
      ["a required field of ciq", () => post(execute, {}), bad([starting("id: ")])],
      [
        "a type of ciq",
        () => post(execute, { id: "with-parameter", input_params: 5 }),
        bad([starting("input_params: ")]),
      ],
      [
        "a page of ciq that is too large",
        () => post(execute, { id: "with-parameter", page_size: 1_001 }),
        bad([starting("page_size: ")]),
      ],
    ],
  ],
  [
    "405: Wrong method, Allow header",
    [
      [
        "on the data plane",
        () => withKey(evaluation, { method: "GET" }),
        { status: 405, message: "Method Not Allowed", allow: "POST" },
      ],
      [
        "on a collection",
        () => configs("/projects", { method: "PATCH", json: {} }),
        { status: 405, message: "Method Not Allowed", allow: "POST, GET, HEAD" },
      ],
      [
        "on a record, without a credential",
        () => send("/configs/v1/projects/x", { method: "PATCH" }),
        { status: 405, message: "Method Not Allowed", allow: "GET, HEAD, PUT, DELETE" },
      ],
    ],
  ],
  [
    "413: Body too large",
    [
      ["2 MiB to a decision", () => withKey(evaluation, large(2)), tooLarge],
      ["2 MiB to a query", () => withKey(execute, large(2)), tooLarge],
      ["2 MiB to /configs", () => configs("/projects", large(2)), tooLarge],
      ["10 MiB to capture", () => withKey(nodes, large(10)), tooLarge],
    ],
  ],
]);
