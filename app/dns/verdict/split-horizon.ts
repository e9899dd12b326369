import type { Diagnosis, OtherAnswer } from "./diagnosis.ts";
import { escapeUntrusted } from "./escape-untrusted.ts";
import type { Observation, TxtAnswer, WitnessReading } from "./observation.ts";
import { hostsOf, MAX_LISTED, MAX_SHOWN_VALUES, namesOf } from "./observed-lists.ts";
import { hasToken, isDelegatedToAny } from "./publication-status.ts";
import { staleWitnesses } from "./wait.ts";

function shown({ rcode, alias, values }: TxtAnswer): OtherAnswer["answer"] {
  if (alias) return { type: "alias", target: escapeUntrusted(alias.target) };
  if (values.length > 0)
    return {
      type: "values",
      values: values.slice(0, MAX_SHOWN_VALUES).map((value) => escapeUntrusted(value)),
    };
  return { type: rcode === "NXDOMAIN" ? "nxdomain" : "nodata" };
}

/**
 * Every nameserver gives this service the record, but resolvers get another answer for longer than any cache may keep
 * an old one: the zone answers differently by client, or resolvers use other nameservers.
 */
export function otherAnswers(observation: Observation): Diagnosis {
  const { servers, soa, token } = observation;
  const isElsewhere = ({ nameservers }: WitnessReading) =>
    nameservers !== null && !isDelegatedToAny(observation, nameservers);
  return {
    code: "not_published",
    awaits: "provider",
    observed: {
      nameservers: [],
      publishedOn: hostsOf(servers.filter(({ answer }) => hasToken(answer, token))),
      serial: soa?.serial ?? null,
      resolvers: staleWitnesses(observation)
        .slice(0, MAX_LISTED)
        .flatMap((witness) =>
          witness.answer
            ? [
                {
                  name: escapeUntrusted(witness.name),
                  answer: shown(witness.answer),
                  ...(isElsewhere(witness) && { nameservers: namesOf(witness.nameservers ?? []) }),
                },
              ]
            : [],
        ),
    },
  };
}
