import { parseAnchor, ROOT_ANCHORS } from "@deed/dns/dnssec/anchors.ts";
import { expect, it } from "vitest";
import { labAnchors } from "./verify-page.server.ts";

it("gives the keys of a lab as the form of /verify reads them, and nothing for the root's", () => {
  const lines = labAnchors({ trustAnchors: [...ROOT_ANCHORS] })?.split("\n") ?? [];
  expect(lines.map(parseAnchor)).toEqual(ROOT_ANCHORS);
  expect(labAnchors({ trustAnchors: ROOT_ANCHORS })).toBeNull();
});
