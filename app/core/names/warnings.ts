export const PUBLIC_SUFFIX_WARNING =
  "This is a public suffix, like co.uk. Proving it says nothing about the domains under it.";
