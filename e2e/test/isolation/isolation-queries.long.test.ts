import { describeQueries, patternNames } from "../../src/fixtures/isolated-queries.ts";
import { useTwinProjects } from "../../src/fixtures/twin-projects.ts";

useTwinProjects();
describeQueries(patternNames);
