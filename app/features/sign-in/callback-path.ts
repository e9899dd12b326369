/** Where a sign-in leads if no path, or no safe path, was requested. */
export const HOME_PATH = "/domains";

const MAX_PATH = 1024;

/**
 * The path on this origin to go to after signing in; HOME_PATH for anything that could lead elsewhere. `baseUrl` is the
 * service's origin.
 */
export function safeCallbackPath(baseUrl: string, requested: string | null | undefined): string {
  if (!requested || requested.length > MAX_PATH || !/^\/[^\p{Cc}\\]*$/u.test(requested))
    return HOME_PATH;
  if (!URL.canParse(requested, baseUrl)) return HOME_PATH;
  const url = new URL(requested, baseUrl);
  const path = url.pathname + url.search + url.hash;
  // Removing dot segments can leave a path that names another host: /.//evil.example becomes //evil.example.
  if (url.origin !== new URL(baseUrl).origin || path.startsWith("//")) return HOME_PATH;
  return path;
}
