import { testKills } from "./configs-killed.ts";

testKills(100);
