import { testBrokenKeyService } from "./broken-key-service.ts";

testBrokenKeyService({ msBefore: 30_000, ms: 120_000, perSecond: 300, totalBytes: 2_000_000 });
