import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { PathSection } from "./record-path.tsx";

it("has no heading over a path of which nothing is known", () => {
  const title = "Where the record is";
  const step = { title: "Registry", stops: [], isReached: true };
  expect(renderToStaticMarkup(<PathSection title={title} path={[]} />)).toBe("");
  expect(renderToStaticMarkup(<PathSection title={title} path={[step]} />)).toContain(title);
});
