import type { Diagnosis, OtherAnswer } from "./diagnosis.ts";
import type { Observation, TxtAnswer } from "./observation.ts";
import { hostsOf, MAX_LISTED, MAX_SHOWN_VALUES } from "./observed-lists.ts";
import { hasToken, isDelegatedToAny } from "./publication-status.ts";
import { staleWitnesses } from "./wait.ts";

function answerOf({ rcode, alias, values }: TxtAnswer): OtherAnswer["answer"] {
  if (alias) return { type: "alias", target: alias.target };
  if (values.length > 0) return { type: "values", values: values.slice(0, MAX_SHOWN_VALUES) };
  return { type: rcode === "NXDOMAIN" ? "nxdomain" : "nodata" };
}

/**
 * Every nameserver gives this service the record, but resolvers get another answer for longer than any cache may keep
 * an old one: the zone answers differently by client, or resolvers use other nameservers.
 */
export function otherAnswers(observation: Observation): Diagnosis {
  const { servers, soa, token } = observation;
  const resolvers = staleWitnesses(observation)
    .slice(0, MAX_LISTED)
    .flatMap(({ name, answer, nameservers }): OtherAnswer[] => {
      if (!answer) return [];
      const isElsewhere = nameservers !== null && !isDelegatedToAny(observation, nameservers);
      const others = isElsewhere ? { nameservers: nameservers.slice(0, MAX_LISTED) } : {};
      return [{ name, answer: answerOf(answer), ...others }];
    });
  return {
    code: "not_published",
    awaits: "provider",
    observed: {
      nameservers: [],
      publishedOn: hostsOf(servers.filter(({ answer }) => hasToken(answer, token))),
      serial: soa?.serial ?? null,
      resolvers,
    },
  };
}
