import { getDomain } from "tldts";

/** The name of the one template of an installation, by which it is registered with DNS providers. */
export const SERVICE_ID = "domain-proof";

/** A Domain Connect template: what a DNS provider sets up, with the variable parts between percent signs. */
export type ConnectTemplate = {
  providerId: string;
  providerName: string;
  serviceId: string;
  serviceName: string;
  version: number;
  logoUrl: string;
  description: string;
  variableDescription: string;
  syncPubKeyDomain: string;
  syncRedirectDomain: string;
  multiInstance: boolean;
  records: {
    type: "TXT";
    host: string;
    data: string;
    ttl: number;
    txtConflictMatchingMode: "None";
    essential: "OnApply";
  }[];
};

/** The name that an installation has as a provider of services: the host of its BASE_URL. */
export const providerIdOf = (baseUrl: string): string => new URL(baseUrl).hostname;

/**
 * The template of an installation. Other claims and other services keep their TXT records at the name, and the record
 * may be deleted once it was found; so it conflicts with none, and is not essential.
 */
export function connectTemplate({
  baseUrl,
  challengeLabel,
  tokenPrefix,
}: {
  baseUrl: string;
  challengeLabel: string;
  tokenPrefix: string;
}): ConnectTemplate {
  const host = providerIdOf(baseUrl);
  return {
    providerId: host,
    providerName: `Deed at ${host}`,
    serviceId: SERVICE_ID,
    serviceName: "Proof of control of a domain",
    version: 1,
    logoUrl: `${baseUrl}/favicon.svg`,
    description:
      "Adds one TXT record. It proves to others that the person who asked for it controls the domain.",
    variableDescription: "token: the random part of the value, 40 hexadecimal digits",
    syncPubKeyDomain: host,
    syncRedirectDomain: host,
    multiInstance: true,
    records: [
      {
        type: "TXT",
        host: challengeLabel,
        data: `${tokenPrefix}%token%`,
        ttl: 300,
        txtConflictMatchingMode: "None",
        essential: "OnApply",
      },
    ],
  };
}

/** What keeps providers from taking the template, as sentences; the rest of their rules it follows by its making. */
export function templateProblems(
  { providerId }: Pick<ConnectTemplate, "providerId">,
  baseUrl: string,
): string[] {
  const isPublic = getDomain(providerId, { extractHostname: false }) !== null;
  return [
    ...(baseUrl.startsWith("https:") ? [] : ["BASE_URL must start with https://."]),
    ...(isPublic ? [] : [`BASE_URL must have a domain name, which ${providerId} is not.`]),
  ];
}
