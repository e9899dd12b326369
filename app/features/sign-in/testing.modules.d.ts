/** It ships no types. */
declare module "oidc-provider";
