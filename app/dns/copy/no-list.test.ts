import { expect, it } from "vitest";
import { observation, TOKEN, values, witnesses } from "../testing/observations.ts";
import { noListSentence } from "./diagnoses/publication.ts";

const listing = (...lists: (string[] | null)[]) =>
  observation({
    witnesses: witnesses(...lists.map(() => values(TOKEN))).map((one, index) => ({
      ...one,
      nameservers: lists[index] ?? null,
    })),
  });
const HOSTS = ["ns1.dns.test", "ns2.dns.test"];

it.each([
  ["no answer to the question for its nameservers", listing(null, null, HOSTS)],
  ["hidden, as by an alias", listing([], [], [])],
  ["do not agree on one", listing(HOSTS, ["ns3.dns.test"], [])],
])("says of resolvers without a common list: %s", (words, seen) => {
  expect(noListSentence(seen)).toContain(words);
});

it("says nothing where a majority gives one list, or none was asked", () => {
  expect(noListSentence(listing(HOSTS, HOSTS, null))).toBeNull();
  expect(noListSentence(observation({ witnesses: [] }))).toBeNull();
  expect(noListSentence(observation({ witnesses: null }))).toBeNull();
});
