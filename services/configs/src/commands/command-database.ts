/** The shared database, as the commands of this service reach it. */
import { connectGraph, type Graph } from "@ikg/graph";
import { BaseSettings } from "@ikg/service";
import { z } from "zod";

const given = BaseSettings.shape;

export const DatabaseSettings = z.object({
  NEO4J_URI: given.NEO4J_URI,
  NEO4J_USERNAME: given.NEO4J_USERNAME,
  NEO4J_PASSWORD: given.NEO4J_PASSWORD,
  NEO4J_DATABASE: given.NEO4J_DATABASE,
});

export type DatabaseSettings = z.output<typeof DatabaseSettings>;

export const openDatabase = (settings: DatabaseSettings): Graph =>
  connectGraph({
    uri: settings.NEO4J_URI,
    username: settings.NEO4J_USERNAME,
    password: settings.NEO4J_PASSWORD,
    database: settings.NEO4J_DATABASE,
  });
