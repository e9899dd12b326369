import { describe, expect, it } from "vitest";
import { referenceData } from "../../../tests/data/index.ts";
import { IANA_ROOT_HINTS, parseRootHints } from "./root-hints.ts";

describe("root hints", () => {
  it("are built in as InterNIC publishes them", () => {
    expect(parseRootHints(referenceData("root.hints"))).toEqual(IANA_ROOT_HINTS);
  });

  it("may carry the class, comments, and no IPv6", () => {
    const text = ". 3600 IN NS A.ROOT.Lab. ; the only one\n\na.root.lab. IN 60 A 127.0.0.1\n";
    expect(parseRootHints(text)).toEqual([{ host: "a.root.lab", addresses: ["127.0.0.1"] }]);
  });

  it.each(["", "; nothing", ". NS a.root.\n", "a.root. A 127.0.0.1\n", ". NS a.\na. A localhost"])(
    "refuses %j",
    (text) => expect(() => parseRootHints(text)).toThrow(/root hints/),
  );
});
