export const NORMALISATIONS = [
  "trimmed",
  "scheme_removed",
  "userinfo_removed",
  "path_removed",
  "port_removed",
  "trailing_dot_removed",
  "wildcard_removed",
  "challenge_label_removed",
  "lowercased",
  "idna_mapped",
  "punycode_encoded",
  "www_removed",
] as const;
export type Normalisation = (typeof NORMALISATIONS)[number];
