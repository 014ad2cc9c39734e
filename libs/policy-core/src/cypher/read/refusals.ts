/** Texts for forms that exist in the database and not here; each names the form to write instead. */

export const quantifiedPathRefusal = "quantified path patterns are not allowed; write -[:TYPE*1..3]->";
export const shortestPathRefusal = "shortest paths are not allowed; write a bounded path, -[:TYPE*1..3]->";
export const useRefusal = "USE clause is not allowed";
export const useArgumentRefusal = "graph.byName argument must be a string literal or one parameter";
export const hintRefusal = "planner hints are not allowed";
