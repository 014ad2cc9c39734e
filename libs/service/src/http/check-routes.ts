import { type Operation, operations, type ServiceName } from "@ikg/contracts";
import type { Route } from "./route.ts";
import { StartError } from "../process/start-error.ts";

const fault = (operation: Operation | undefined, route: Route, service: ServiceName): string | undefined => {
  if (operation === undefined) return "is not in the table of operations, so the gateway would not pass it";
  if (operation.service !== service) return `belongs to the service ${operation.service}`;
  if (operation.operation !== route.operation)
    return `is called ${operation.operation} in the table of operations`;
  const { access } = operation;
  const sameAccess =
    access.credential === "client_key"
      ? route.caller === "agent" && route.permission === access.permission
      : access.credential === "either"
        ? route.caller === "either" && route.permission === access.permission
        : route.caller === "administrator";
  return sameAccess ? undefined : "wants another credential or permission than the table of operations";
};

const shape = (path: string): string => path.replaceAll(/:[A-Za-z]+/g, ":");

/**
 * Compares a service's routes with the table of operations, by which the gateway routes.
 *
 * @throws StartError naming every route that differs.
 */
export const checkRoutes = (service: ServiceName, routes: readonly Route[]): void => {
  const faults = routes.flatMap((route) => {
    const operation = operations.find(
      (each) => each.method === route.method && shape(each.path) === shape(route.path),
    );
    const found = fault(operation, route, service);
    return found === undefined ? [] : [`${route.method.toUpperCase()} ${route.path} ${found}`];
  });
  if (faults.length > 0) throw new StartError(faults);
};
