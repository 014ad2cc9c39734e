import { Empty } from "../components/empty.tsx";

export const NotFound = () => (
  <Empty title="There is no such screen">
    <p>The address may be mistyped. The screens are listed in the navigation.</p>
  </Empty>
);
