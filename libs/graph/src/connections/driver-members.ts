/**
 * A private member of the driver, which has no public way to name it; undefined for a version that keeps it elsewhere.
 */
export const memberOf = (value: unknown, name: string): unknown =>
  value instanceof Object ? Reflect.get(value, name) : undefined;
