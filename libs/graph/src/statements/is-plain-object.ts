/** True for an object without a class: to the database a map, where values of classes are temporal, spatial or unknown. */
export const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
