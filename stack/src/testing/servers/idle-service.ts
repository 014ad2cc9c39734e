import { afterAll, beforeAll } from "@jest/globals";
import type { ServiceName } from "@ikg/contracts";
import { BaseSettings, readSettings, type Service, startService } from "@ikg/service";

/** A service of a test file whose stores are never asked: for what it registers and counts by itself. */
export const useIdleService = (name: ServiceName): (() => Service) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(
      name,
      readSettings(BaseSettings, {
        PORT: "0",
        LOG_LEVEL: "error",
        NEO4J_URI: "bolt://127.0.0.1:1",
        NEO4J_PASSWORD: "p",
        REDIS_URL: "redis://127.0.0.1:1",
      }),
    );
  });
  afterAll(() => service.close());
  return () => service;
};
