/** Masks an address for strangers: keeps the first character of the local part, and the mail domain. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [first = ""] = email.slice(0, Math.max(at, 0));
  return `${first}•••${email.slice(at)}`;
}
