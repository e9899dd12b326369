import { expect, it } from "vitest";
import { nameToProve, provePath } from "./prove-path.ts";

it("gives back the name it was made from, and takes no other path for one", () => {
  expect(nameToProve(provePath("acme.com"))).toBe("acme.com");
  const others = ["", "?prove=1", "?prove#", "%20?prove", "/x?prove"].map(
    (end) => `/zones/acme.com${end}`,
  );
  for (const path of ["/domains", ...others]) expect(nameToProve(path), path).toBeNull();
});
