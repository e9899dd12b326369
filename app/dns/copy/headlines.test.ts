import { describe, expect, test } from "vitest";
import { DIAGNOSIS_CODES } from "../verdict/diagnosis.ts";
import { DIAGNOSIS_CATALOGUE } from "./catalogue.ts";
import { headlineOf } from "./headlines.ts";

describe("the headline of a diagnosis", () => {
  test.each(DIAGNOSIS_CODES)("%s has one of at most eight words", (code) => {
    expect(headlineOf(DIAGNOSIS_CATALOGUE[code].example)).toMatch(/^\S+( \S+){2,7}$/);
  });

  test("is closer where what was observed allows it", () => {
    const absent = { answer: { type: "nxdomain" }, nearMiss: null } as const;
    expect(headlineOf({ code: "record_absent", observed: absent })).toBe("The record is missing");
    const nearMiss = { kind: "no_underscore", name: "service-challenge.acme.com" } as const;
    expect(headlineOf({ code: "record_absent", observed: { ...absent, nearMiss } })).toBe(
      "The record is on the wrong name",
    );
    expect(
      headlineOf({
        code: "record_absent",
        observed: { ...absent, nearMiss: { ...nearMiss, kind: "mx_target" } },
      }),
    ).toBe("The record has the wrong type");
    expect(headlineOf({ code: "lame_delegation", observed: { nameservers: [] } })).toBe(
      "The domain has no nameservers",
    );
    expect(
      headlineOf({ code: "no_matching_record", observed: { values: ["x"], wildcard: true } }),
    ).toBe("A wildcard answers for this name");
  });
});
