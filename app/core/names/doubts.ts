export const PUBLIC_SUFFIX_DOUBT =
  "This is a public suffix, like co.uk. Proving it says nothing about the domains under it.";
