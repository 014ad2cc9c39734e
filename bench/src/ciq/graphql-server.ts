/** The other library as a service: takes a GraphQL document with the subject of a token, on `PORT`. */
import { createServer } from "node:http";
import { Neo4jGraphQL } from "@neo4j/graphql";
import { graphql } from "graphql";
import neo4j from "neo4j-driver";
import { readServerSettings } from "./server-settings.ts";

const { uri, username, password, pk } = readServerSettings();

/** Keys are looked up in the index that our own statements use. */
const typeDefs = `
type JWT @jwt { sub: String! }

type Person @node(labels: ["_Node", "Person__${pk}"])
  @authorization(filter: [{ where: { node: { key: { eq: "$jwt.sub" } } } }]) {
  key: String! @alias(property: "_key")
  external_id: String!
  documents: [Document!]! @relationship(type: "OWNS", direction: OUT)
}

type Document @node(labels: ["_Node", "Document__${pk}"]) {
  key: String! @alias(property: "_key")
  external_id: String!
  title: String
  level: Int
}

type Note @node(labels: ["_Node", "Note__${pk}"]) {
  key: String! @alias(property: "_key")
  external_id: String!
  text: String
  author: [Person!]! @relationship(type: "WROTE", direction: IN)
  about: [Document!]! @relationship(type: "ABOUT", direction: OUT)
}
`;

const driver = neo4j.driver(uri, neo4j.auth.basic(username, password));
const schema = await new Neo4jGraphQL({ typeDefs, driver }).getSchema();

interface Question {
  readonly sub: string;
  readonly source: string;
  readonly variableValues: Record<string, unknown>;
}

const answer = async (body: string): Promise<string> => {
  const { sub, source, variableValues } = JSON.parse(body) as Question; // of the measurement alone
  const contextValue = { jwt: { sub }, sessionConfig: { database: "neo4j" } };
  return JSON.stringify(await graphql({ schema, source, variableValues, contextValue }));
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const reply = (text: string): void => {
      response.setHeader("Content-Type", "application/json").end(text);
    };
    if (request.method !== "POST") reply("{}");
    else
      answer(Buffer.concat(chunks).toString()).then(reply, (error: unknown) =>
        reply(JSON.stringify({ errors: [{ message: String(error) }] })),
      );
  });
});
server.keepAliveTimeout = 75_000;
server.listen(Number(process.env["PORT"]), "127.0.0.1");
